import { useState } from 'react';
import type { MemoryEntry, MemoryTitle } from '../../../src/contract/index.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { memoryActions } from '../../state/memory-actions.ts';
import { typeOf } from '../../state/memory-fields.ts';
import { useMemoryEntry } from '../../state/memory-hooks.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { dayAndTime } from '../../ui/time.ts';
import { Folded } from '../../ui/transcript/folded.tsx';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { memoryTexts as texts } from './strings.ts';

/** The text of a memory, what is suspicious about it, and what it said before. */
export function MemoryDetail(props: { ownerId: string | null; entry: MemoryTitle; readOnly: boolean }) {
  const { ownerId, entry, readOnly } = props;
  const { value, problem, again } = useMemoryEntry(ownerId, entry.id);
  if (problem !== null) {
    return (
      <Banner
        kind="danger"
        actions={
          <Button small onPress={again}>
            {strings.common.retry}
          </Button>
        }
      >
        {texts.readFailed(problem.message)}
      </Banner>
    );
  }
  if (value === null) return <p className="soft small">{texts.reading}</p>;
  return (
    <div className="memory-detail">
      <div className="memory-body">
        <UserText text={value.body} as="block" />
      </div>
      {value.sessionId === null ? null : <p className="soft small">{texts.fromSession}</p>}
      <Threat ownerId={ownerId} entry={value} readOnly={readOnly} />
      <Versions ownerId={ownerId} entry={value} readOnly={readOnly} />
    </div>
  );
}

/** Why a memory is suspicious, and whether sessions are told of it: decided where its text is in sight. */
function Threat({ ownerId, entry, readOnly }: { ownerId: string | null; entry: MemoryEntry; readOnly: boolean }) {
  const sidekeep = useSidekeep();
  const [isRunning, setRunning] = useState(false);
  const { threat, withheld } = entry;
  if (threat === null) return null;
  const allow = async (allowed: boolean) => {
    setRunning(true);
    const result = await memoryActions(sidekeep, ownerId).allow(entry, allowed);
    setRunning(false);
    const title = plainTitle(entry.title);
    if (result.ok) announce(allowed ? texts.wasAllowed(title) : texts.wasWithdrawn(title));
  };
  const canDecide = threat.level === 'hold-back' && !readOnly;
  return (
    <Banner
      kind={withheld ? 'danger' : 'warning'}
      actions={
        canDecide ? (
          <Button small isDisabled={isRunning} onPress={() => void allow(threat.allowed === null)}>
            {threat.allowed === null ? texts.allow : texts.withdraw}
          </Button>
        ) : null
      }
    >
      <p>
        {threat.reason} {withheld ? texts.withheldText : threat.level === 'hint' ? texts.hintText : null}
      </p>
      {threat.allowed === null ? (
        canDecide ? (
          <p className="soft">{texts.allowHint}</p>
        ) : null
      ) : (
        <p>{texts.allowedBy(threat.allowed.by, dayAndTime(threat.allowed.at))}</p>
      )}
    </Banner>
  );
}

/** What it said before, each to be put back; that itself is a change, and keeps what stands there now. */
function Versions({ ownerId, entry, readOnly }: { ownerId: string | null; entry: MemoryEntry; readOnly: boolean }) {
  const sidekeep = useSidekeep();
  const { versions, id, title, body, type, revision } = entry;
  if (versions.length === 0) return null;
  const putBack = async (version: MemoryEntry['versions'][number]) => {
    const now = { title, body, type: typeOf(type) };
    const wanted = { title: version.title, body: version.body, type: now.type };
    const result = await memoryActions(sidekeep, ownerId).update(id, now, wanted, revision, () => false);
    if (result.ok) sidekeep.toasts.show(texts.wasPutBack);
  };
  return (
    <Folded summary={texts.versions(versions.length)} isOpen={false}>
      <ul className="memory-versions">
        {versions.map((version) => {
          const time = dayAndTime(version.replacedAt);
          return (
            <li key={`${version.replacedAt} ${version.title}`}>
              <div className="memory-version-text">
                <p className="soft small">{texts.replacedAt(time)}</p>
                <p className="memory-similar-title">
                  <UserText text={version.title} />
                </p>
                <UserText text={version.body} as="block" />
              </div>
              {readOnly || (version.title === title && version.body === body) ? null : (
                <Button small aria-label={texts.putBackOf(time)} onPress={() => void putBack(version)}>
                  {texts.putBack}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Folded>
  );
}
