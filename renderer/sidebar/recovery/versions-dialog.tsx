import { useState } from 'react';
import type { Backup, CallError } from '../../../src/contract/index.ts';
import { useAnswer } from '../../state/answers.ts';
import { useContext, useSidekeep } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNow } from '../../ui/now.ts';
import { Banner, Loading } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { dayAndTime, relativeTime } from '../../ui/time.ts';
import { closeDialog, type Owner } from '../open-dialog.ts';
import { texts } from '../strings.ts';
import { recover } from './recover.ts';
import { StartEmpty } from './start-empty.tsx';
import { VersionList } from './version-list.tsx';

/** The earlier versions of a context, to go back to one of them, or to bring back what it holds. */
export function VersionsDialog({ owner, backupId }: { owner: Owner; backupId: string | null }) {
  const isDamaged = useContext(owner.id).problem?.code === 'malformed';
  const { title, recoverTitle } = texts.versions;
  return (
    <Dialog title={(isDamaged ? recoverTitle : title)(owner.title)} isOpen onClose={closeDialog}>
      <Versions owner={owner} backupId={backupId} isDamaged={isDamaged} />
    </Dialog>
  );
}

function Versions({ owner, backupId, isDamaged }: { owner: Owner; backupId: string | null; isDamaged: boolean }) {
  const { client } = useSidekeep();
  const { confirmed, problem } = useContext(owner.id);
  const [chosen, setChosen] = useState(backupId);
  const [failure, setFailure] = useState<CallError | null>(null);
  const now = useNow();
  const answer = useAnswer(['backups', owner.id, confirmed?.sequence, problem?.code], () =>
    client.context.backups({ projectId: owner.id }),
  );
  const backups = answer.value?.backups ?? [];
  const readable = backups.filter(({ counts }) => counts !== null);
  const selected = readable.find(({ id }) => id === chosen) ?? readable[0] ?? null;
  if (answer.problem) {
    return (
      <>
        <Banner
          kind="danger"
          actions={
            <Button small onPress={answer.again}>
              {strings.common.retry}
            </Button>
          }
        >
          {texts.versions.failed} {answer.problem.message}
        </Banner>
        <CloseRow />
      </>
    );
  }
  if (answer.value === null) return <Loading label={texts.versions.loading} rows={3} />;
  return (
    <>
      {isDamaged ? <p>{texts.versions.damaged}</p> : null}
      {backups.length > 0 ? <p className="soft small">{texts.versions.rhythm}</p> : null}
      {backups.length > 0 ? (
        <VersionList
          label={texts.versions.list}
          rows={backups.map((backup) => rowOf(backup, now))}
          selected={selected?.id ?? null}
          onSelect={setChosen}
        />
      ) : null}
      {failure ? <Banner kind="danger">{failure.message}</Banner> : null}
      {selected ? (
        <Choice owner={owner} backup={selected} isDamaged={isDamaged} onFailure={setFailure} />
      ) : (
        <>
          <p>{isDamaged ? texts.versions.noneDamaged : texts.versions.none}</p>
          {isDamaged ? <StartEmpty owner={owner} onFailure={setFailure} /> : <CloseRow />}
        </>
      )}
    </>
  );
}

function rowOf({ id, at, reason, counts }: Backup, now: number) {
  const held = counts === null ? texts.versions.unreadable : texts.versions.counts(counts);
  const facts = (
    <>
      <span>{relativeTime(at, now) ?? texts.versions.justNow}</span>
      <span className={counts === null ? 'version-unreadable' : undefined}>{held}</span>
      <span>{texts.versions.reasons[reason]}</span>
    </>
  );
  return { id, time: dayAndTime(at), facts, disabled: counts === null };
}

/** What will happen with the version that is chosen, in words and then in buttons. */
function Choice(props: {
  owner: Owner;
  backup: Backup;
  isDamaged: boolean;
  onFailure: (error: CallError | null) => void;
}) {
  const { owner, backup, isDamaged, onFailure } = props;
  const sidekeep = useSidekeep();
  const { view } = useContext(owner.id);
  const [isRunning, setRunning] = useState(false);
  const time = dayAndTime(backup.at);
  const isLocked = isRunning || (view?.readOnly === true && !isDamaged);
  const run = async (mode: 'replace' | 'merge') => {
    setRunning(true);
    onFailure(null);
    const error = await recover(sidekeep, owner.id, { id: backup.id, at: backup.at }, mode);
    setRunning(false);
    if (error === null) closeDialog();
    else onFailure(error);
  };
  return (
    <>
      <div className="version-effect soft small">
        <p>{isDamaged ? texts.versions.willRecover(time) : texts.versions.willReplace(time)}</p>
        {isDamaged ? null : <p>{texts.versions.willAdd}</p>}
        <p>{texts.versions.plansStay}</p>
        {view?.readOnly && !isDamaged ? <p>{strings.context.newerVersion}</p> : null}
      </div>
      <div className="dialog-actions">
        <Button onPress={closeDialog}>{strings.common.cancel}</Button>
        {isDamaged ? null : (
          <Button isDisabled={isLocked} onPress={() => void run('merge')}>
            {texts.versions.add}
          </Button>
        )}
        <Button kind="primary" isDisabled={isLocked} onPress={() => void run('replace')}>
          {texts.versions.goBack}
        </Button>
      </div>
    </>
  );
}

function CloseRow() {
  return (
    <div className="dialog-actions">
      <Button onPress={closeDialog}>{strings.common.close}</Button>
    </div>
  );
}
