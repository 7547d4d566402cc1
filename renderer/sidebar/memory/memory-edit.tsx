import { useEffect, useRef, useState } from 'react';
import { type MemoryEntry, memoryLimits } from '../../../src/contract/index.ts';
import { useDraft, useSidekeep } from '../../state/hooks.ts';
import { memoryActions } from '../../state/memory-actions.ts';
import {
  draftOf,
  fieldsOf,
  isComplete,
  isSameFields,
  type MemoryFields,
  memoryKey,
  readable,
  typeOf,
} from '../../state/memory-fields.ts';
import { useMemoryEntry } from '../../state/memory-hooks.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Banner } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { UserText } from '../../ui/user-text.tsx';
import { leadToChoices } from '../entry-conflict.tsx';
import { MemoryForm } from './memory-form.tsx';
import { memoryTexts as texts } from './strings.ts';

const fieldsOfEntry = ({ title, body, type }: MemoryEntry): MemoryFields => ({ title, body, type: typeOf(type) });

/**
 * The fields in which a memory is edited, in the place of its row. What is typed is kept as a draft, with what it is based
 * on, until it is on the disk or given up. A change from outside is taken where nothing was typed, else both are shown.
 */
export function MemoryEdit(props: { ownerId: string | null; memoryId: string; onEnd: () => void }) {
  const { ownerId, memoryId, onEnd } = props;
  const sidekeep = useSidekeep();
  const { drafts, toasts } = sidekeep;
  const key = memoryKey(ownerId, memoryId);
  const [draft, setDraft] = useDraft(key);
  const place = useRef<HTMLDivElement>(null);
  const [isSaving, setSaving] = useState(false);
  const isComposing = useRef(false);
  const mine = fieldsOf(draft.text);
  const base = fieldsOf(draft.base?.text ?? draft.text);
  const [isFresh] = useState(() => isSameFields(mine, base));
  const current = useMemoryEntry(ownerId, memoryId);
  const theirs = isSaving || current.isStale ? null : otherThan(draft.base?.revision, current.value);
  const isGone = current.problem?.code === 'not-found' && current.problem.detail?.disabled !== true;
  const follows = theirs !== null && shouldFollow(base, mine, fieldsOfEntry(theirs));
  useEffect(() => {
    if (!follows || theirs === null || isComposing.current) return;
    const text = draftOf(fieldsOfEntry(theirs));
    // Nothing of the person's stands in the way: what was typed is what is there by now, or nothing was.
    drafts.write(key, isSameFields(mine, base) ? text : draftOf(mine), { text, revision: theirs.revision });
  }, [follows, theirs, drafts, key, mine, base]);
  const isConflict = (theirs !== null && !follows) || isGone;

  const end = () => {
    drafts.clear(key);
    onEnd();
  };
  const save = async () => {
    if (isSaving) return;
    if (isConflict) return leadToChoices(place.current);
    if (!isComplete(mine)) return announce(texts.incomplete);
    if (isSameFields(mine, base)) return end();
    const sent = draft.text;
    setSaving(true);
    const act = memoryActions(sidekeep, ownerId);
    const result = await act.update(memoryId, base, mine, draft.base?.revision ?? '', ({ code }) =>
      ['conflict', 'not-found'].includes(code),
    );
    setSaving(false);
    if (!result.ok) return current.again();
    if (result.value.clamped) toasts.show(texts.clamped);
    if (drafts.read(key).text === sent) end();
    // What was typed since goes on from what is on the disk now.
    else drafts.write(key, drafts.read(key).text, { text: sent, revision: result.value.entry.revision });
  };
  const saveAsNew = async () => {
    // An equal title would replace the other one.
    const title = isGone ? mine.title : texts.conflict.mine(mine.title.slice(0, memoryLimits.title - 7));
    const act = memoryActions(sidekeep, ownerId);
    const result = await act.create({ ...mine, title }, { beside: true }, () => void saveAsNew());
    if (result.ok) end();
  };
  return (
    <div className="memory-form" ref={place}>
      {isConflict ? (
        <Conflict
          theirs={isGone ? null : theirs}
          mine={mine}
          onKeepMine={() => {
            if (theirs !== null)
              drafts.write(key, draft.text, { text: draftOf(fieldsOfEntry(theirs)), revision: theirs.revision });
          }}
          onSaveAsNew={() => void saveAsNew()}
          onEnd={end}
        />
      ) : null}
      <MemoryForm
        fields={mine}
        autoFocus={isFresh}
        onChange={(fields) => setDraft(draftOf(fields))}
        onSubmit={() => void save()}
        onCancel={() => {
          if (isSameFields(mine, base)) end();
        }}
        onComposition={(composing) => {
          isComposing.current = composing;
        }}
      />
      <div className="dialog-actions">
        <Button small onPress={end}>
          {strings.common.cancel}
        </Button>
        <Button
          small
          kind="primary"
          isDisabled={!isComplete(mine) || isSaving || isConflict}
          onPress={() => void save()}
        >
          {isSaving ? texts.saving : strings.common.save}
        </Button>
      </div>
    </div>
  );
}

/** What is there now, if the edit began with something else. */
const otherThan = (revision: string | undefined, now: MemoryEntry | null): MemoryEntry | null =>
  now === null || now.revision === revision ? null : now;

/** Whether a change from outside collides with nothing that was typed. */
const shouldFollow = (base: MemoryFields, mine: MemoryFields, theirs: MemoryFields): boolean =>
  isSameFields(mine, base) || isSameFields(theirs, base) || isSameFields(theirs, mine);

function Conflict(props: {
  /** Null: it was forgotten. */
  theirs: MemoryEntry | null;
  mine: MemoryFields;
  onKeepMine: () => void;
  onSaveAsNew: () => void;
  onEnd: () => void;
}) {
  const { theirs, mine } = props;
  const copy = useCopy();
  const { conflict } = texts;
  return (
    <Banner
      kind="warning"
      actions={
        <>
          {theirs === null ? null : (
            <>
              <Button small onPress={props.onKeepMine}>
                {conflict.keepMine}
              </Button>
              <Button small onPress={props.onEnd}>
                {conflict.useTheirs}
              </Button>
            </>
          )}
          <Button small isDisabled={!isComplete(mine)} onPress={props.onSaveAsNew}>
            {theirs === null ? conflict.saveAsNew : texts.keepBoth}
          </Button>
          <Button small onPress={() => copy(readable(mine))}>
            {strings.common.copyText}
          </Button>
          {theirs === null ? (
            <Button small kind="danger" onPress={props.onEnd}>
              {conflict.discard}
            </Button>
          ) : null}
        </>
      }
    >
      <p>{theirs === null ? conflict.gone : conflict.changed}</p>
      {theirs === null ? null : (
        <div className="conflict-theirs">
          <span className="soft">{conflict.theirs}: </span>
          <UserText text={readable(fieldsOfEntry(theirs))} as="block" />
        </div>
      )}
    </Banner>
  );
}
