import { useState } from 'react';
import { Checkbox } from 'react-aria-components';
import type { SessionFinding } from '../../../src/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { sizeOf } from '../../ui/transcript/strings.ts';
import { UserText } from '../../ui/user-text.tsx';
import { focusAfter } from '../focus-after.ts';
import { sessionTexts as texts } from './strings.ts';

/** Findings that are shown at first, and with each wish for more. */
const PAGE = 50;

/** What a report found. What is chosen is repaired only after it was shown what that means. */
export function ReportFindings(props: {
  findings: readonly SessionFinding[];
  onRepair: (chosen: readonly SessionFinding[]) => Promise<void>;
}) {
  const { findings, onRepair } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(PAGE);
  const [isConfirming, setConfirming] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const repairable = findings.filter(({ repair }) => repair !== null);
  const wanted = repairable.filter(({ id }) => chosen.has(id));
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  /** What the keyboard was on goes with the confirmation. */
  const goOn = () => {
    const chooser = () => document.querySelector('.dialog .report-choose button');
    void focusAfter(Promise.resolve(), chooser, () => document.querySelector('.dialog .dialog-actions button'));
  };
  const repair = async () => {
    setRunning(true);
    await onRepair(wanted);
    setRunning(false);
    setConfirming(false);
    setChosen(new Set());
    goOn();
  };
  if (isConfirming) {
    const back = () => {
      setConfirming(false);
      goOn();
    };
    return <Confirmation wanted={wanted} isRunning={isRunning} onBack={back} onRepair={repair} />;
  }
  const isAll = wanted.length === repairable.length;
  return (
    <>
      {repairable.length === 0 ? null : (
        <div className="report-choose">
          <Button small onPress={() => setChosen(isAll ? new Set() : new Set(repairable.map((finding) => finding.id)))}>
            {isAll ? texts.report.chooseNone : texts.report.chooseAll(repairable.length)}
          </Button>
          <Button small kind="primary" isDisabled={wanted.length === 0} onPress={() => setConfirming(true)}>
            {texts.report.repairChosen(wanted.length)}
          </Button>
        </div>
      )}
      <ul className="deleted report-findings">
        {findings.slice(0, shown).map((finding) => (
          <li key={finding.id} className="deleted-row">
            {finding.repair === null ? (
              <span className="report-no-box" />
            ) : (
              <Checkbox
                className="search-scope"
                aria-label={texts.report.choose(finding.name)}
                isSelected={chosen.has(finding.id)}
                onChange={(isChosen) => choose(finding.id, isChosen)}
              >
                <span className="search-scope-box" aria-hidden="true" />
              </Checkbox>
            )}
            <FindingText finding={finding} />
          </li>
        ))}
      </ul>
      {findings.length > shown ? (
        <Button small onPress={() => setShown(shown + PAGE)}>
          {texts.report.showMore(Math.min(PAGE, findings.length - shown))}
        </Button>
      ) : null}
    </>
  );
}

function FindingText({ finding }: { finding: SessionFinding }) {
  return (
    <div className="deleted-text">
      <p className="report-name">
        <UserText text={finding.name} />
      </p>
      <p className="small">{finding.reason}</p>
      <p className="deleted-facts">
        <span>{texts.report.kinds[finding.kind]}</span>
        <span>{sizeOf(finding.bytes)}</span>
        <span>{finding.repair === null ? texts.report.leftAlone : texts.report.repair[finding.repair]}</span>
      </p>
    </div>
  );
}

/** Exactly what the repair does, item by item. */
function Confirmation(props: {
  wanted: readonly SessionFinding[];
  isRunning: boolean;
  onBack: () => void;
  onRepair: () => Promise<void>;
}) {
  const { wanted, isRunning, onBack, onRepair } = props;
  const removed = wanted.filter(({ repair }) => repair === 'remove');
  const moved = wanted.filter(({ repair }) => repair === 'move-to-trash');
  const size = (findings: readonly SessionFinding[]): string =>
    sizeOf(findings.reduce((sum, { bytes }) => sum + bytes, 0));
  return (
    <div className="report-confirm">
      <Banner kind="warning">
        <p>{texts.report.confirm}:</p>
        {removed.length === 0 ? null : <p>{texts.report.removes(removed.length, size(removed))}</p>}
        {moved.length === 0 ? null : <p>{texts.report.moves(moved.length, size(moved))}</p>}
        <p>{texts.report.unchanged}</p>
      </Banner>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <ul className="deleted report-findings" tabIndex={0} aria-label={texts.report.confirm}>
        {wanted.map((finding) => (
          <li key={finding.id} className="deleted-row">
            <FindingText finding={finding} />
          </li>
        ))}
      </ul>
      <div className="report-choose">
        <Button small autoFocus onPress={onBack}>
          {texts.report.back}
        </Button>
        <Button small kind="danger" isDisabled={isRunning} onPress={() => void onRepair()}>
          {isRunning ? texts.report.repairing : texts.report.doIt}
        </Button>
      </div>
    </div>
  );
}
