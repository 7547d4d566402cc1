import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { CallOutput, Result, SessionFinding, SessionReport } from '../../../src/contract/index.ts';
import { useAnswer } from '../../state/answers.ts';
import { useProjects, useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Banner, Loading, State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { sizeOf } from '../../ui/transcript/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { closeDialog } from '../open-dialog.ts';
import { openSession } from './open-session.ts';
import { ReportFindings } from './report-findings.tsx';
import { sessionTexts as texts } from './strings.ts';

/** Sessions that are listed at first. */
const LARGEST = 12;

/** What takes up space, and what is damaged or left over. */
export function SessionReportDialog() {
  return (
    <Dialog title={texts.report.title} isOpen onClose={closeDialog} wide>
      <Report />
    </Dialog>
  );
}

function Report() {
  const { client } = useSidekeep();
  const [turn, setTurn] = useState(0);
  const answer = useAnswer(['session-report', turn], () => client.sessions.report({}));
  const [result, setResult] = useState<CallOutput<'sessions.repair'> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const again = () => {
    setResult(null);
    setFailure(null);
    setTurn(turn + 1);
  };
  const repair = async (report: SessionReport, findings: readonly SessionFinding[]) => {
    const done: Result<CallOutput<'sessions.repair'>> = await client.sessions.repair({
      reportId: report.id,
      findings: findings.map(({ id }) => id),
    });
    setResult(done.ok ? done.value : null);
    setFailure(done.ok ? null : done.error.message);
    setTurn(turn + 1);
  };
  const { value: report, problem } = answer;
  return (
    <>
      {problem ? (
        <Banner kind="danger">
          {texts.report.failed} {problem.message}
        </Banner>
      ) : null}
      {failure ? <Banner kind="danger">{failure}</Banner> : null}
      {result && report ? <Outcome result={result} /> : null}
      {report === null && problem === null ? <Loading label={texts.report.loading} /> : null}
      {report ? (
        <div className="report" aria-busy={answer.isStale}>
          <p className="soft small">{texts.report.hint}</p>
          {report.unread.map(({ store, reason }) => (
            <Banner key={`${store} ${reason}`} kind="warning">
              {texts.report.unread}: {reason}
            </Banner>
          ))}
          <div className="report-columns">
            <Totals report={report} />
            <Largest report={report} />
          </div>
          <section aria-labelledby="report-findings">
            <h3 id="report-findings" className="report-heading">
              {texts.report.findings}
            </h3>
            {report.findings.length === 0 ? (
              <State icon={CircleCheck} title={texts.report.noFindings}>
                {''}
              </State>
            ) : (
              <ReportFindings
                key={report.id}
                findings={report.findings}
                onRepair={(chosen) => repair(report, chosen)}
              />
            )}
          </section>
        </div>
      ) : null}
      <div className="dialog-actions">
        <Button isDisabled={answer.isStale} onPress={again}>
          {texts.report.again}
        </Button>
        <span className="spacer" />
        <Button onPress={closeDialog}>{strings.common.close}</Button>
      </div>
    </>
  );
}

function Outcome({ result }: { result: CallOutput<'sessions.repair'> }) {
  return (
    <Banner kind={result.left.length === 0 ? 'info' : 'warning'}>
      <p>{texts.report.done(result.done)}</p>
      {result.left.length === 0 ? null : (
        <>
          <p>{texts.report.left(result.left.length)}</p>
          <ul className="report-left">
            {[...new Set(result.left.map(({ reason }) => reason))].map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  );
}

function Totals({ report }: { report: SessionReport }) {
  const bytes = report.totals.reduce((sum, total) => sum + total.bytes, 0);
  const files = report.totals.reduce((sum, total) => sum + total.files, 0);
  return (
    <section aria-labelledby="report-totals">
      <h3 id="report-totals" className="report-heading">
        {texts.report.totals}
      </h3>
      <table className="report-table">
        <thead>
          <tr>
            <th scope="col">{texts.report.kind}</th>
            <th scope="col">{texts.report.files}</th>
            <th scope="col">{texts.report.size}</th>
          </tr>
        </thead>
        <tbody>
          {report.totals.map((total) => (
            <tr key={total.kind}>
              <th scope="row">{total.kind}</th>
              <td>{total.files}</td>
              <td>{sizeOf(total.bytes)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.report.total}</th>
            <td>{files}</td>
            <td>{sizeOf(bytes)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Largest({ report }: { report: SessionReport }) {
  const { sessions } = useSidekeep();
  const { value: list } = useProjects();
  const [shown, setShown] = useState(LARGEST);
  const most = report.sessions[0]?.bytes ?? 1;
  return (
    <section aria-labelledby="report-sessions">
      <h3 id="report-sessions" className="report-heading">
        {texts.report.sessions}
      </h3>
      <ul className="report-sessions">
        {report.sessions.slice(0, shown).map(({ session, title, bytes, parts }) => (
          <li key={`${session.store}/${session.id}`} className="report-session">
            <Button
              small
              kind="quiet"
              aria-label={texts.report.open(plainTitle(title))}
              onPress={() => {
                closeDialog();
                if (list) openSession(sessions.row(session) ?? { session, ownerId: null }, list);
              }}
            >
              <span className="report-title">
                <UserText text={title} as="one-line" />
              </span>
            </Button>
            <span className="report-parts">
              {parts.map((part) => `${part.kind} ${sizeOf(part.bytes)}`).join(' · ')}
            </span>
            <span className="report-size">{sizeOf(bytes)}</span>
            <span
              className="report-bar"
              aria-hidden="true"
              style={{ width: `${(bytes / Math.max(1, most)) * 100}%` }}
            />
          </li>
        ))}
      </ul>
      {report.sessions.length > shown ? (
        <Button small onPress={() => setShown(shown + 50)}>
          {texts.report.showMore(Math.min(50, report.sessions.length - shown))}
        </Button>
      ) : report.more > 0 ? (
        <p className="soft small">{texts.report.more(report.more)}</p>
      ) : null}
    </section>
  );
}
