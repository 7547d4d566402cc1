import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { MemoryTitle } from '../../../src/contract/index.ts';
import { useDraft, useSidekeep } from '../../state/hooks.ts';
import { memoryActions, type SimilarChoice } from '../../state/memory-actions.ts';
import { draftOf, fieldsOf, isComplete, newMemoryKey } from '../../state/memory-fields.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { shortcutLabel } from '../../ui/keys.ts';
import { strings } from '../../ui/strings.ts';
import { plainTitle } from '../../ui/user-text.tsx';
import { focusAfter, sectionTab } from '../focus-after.ts';
import { navigation } from '../navigation.ts';
import { MemoryForm } from './memory-form.tsx';
import { Similar } from './similar.tsx';
import { memoryTexts as texts } from './strings.ts';

/** Opens the form for a new memory, or the form. What was typed is forgotten only when it is on the disk. */
export function NewMemory({ ownerId, full }: { ownerId: string | null; full: number | null }) {
  const { drafts } = useSidekeep();
  const [isOpen, setOpen] = useState(() => drafts.read(newMemoryKey(ownerId)).text !== '');
  const close = () => {
    setOpen(false);
    void focusAfter(Promise.resolve(), () => document.querySelector('#new-entry'), sectionTab);
  };
  if (full !== null && !isOpen) return <p className="soft small">{texts.full(full)}</p>;
  if (isOpen) return <NewMemoryForm ownerId={ownerId} onClose={close} />;
  return (
    <Button id="new-entry" onPress={() => setOpen(true)}>
      <Plus size={16} aria-hidden="true" />
      {texts.add}
    </Button>
  );
}

function NewMemoryForm({ ownerId, onClose }: { ownerId: string | null; onClose: () => void }) {
  const sidekeep = useSidekeep();
  const { drafts } = sidekeep;
  const key = newMemoryKey(ownerId);
  const [draft, setDraft] = useDraft(key);
  // The person has just asked for it, unless it stands open for what was typed before.
  const [isFresh] = useState(draft.text === '');
  const [similar, setSimilar] = useState<readonly MemoryTitle[]>([]);
  const [isSaving, setSaving] = useState(false);
  const fields = fieldsOf(draft.text);
  const create = async (choice: SimilarChoice | null) => {
    const sent = drafts.read(key).text;
    if (isSaving) return;
    if (!isComplete(fieldsOf(sent))) return announce(texts.incomplete);
    setSaving(true);
    const result = await memoryActions(sidekeep, ownerId).create(fieldsOf(sent), choice, () => void create(choice));
    setSaving(false);
    if (!result.ok) return;
    const { entry, replaced, clamped } = result.value;
    setSimilar(result.value.similar);
    if (entry === null) return;
    tell(sidekeep, entry, replaced, clamped);
    navigation.mark(entry.id);
    // What was typed since is another memory: it stays.
    if (drafts.read(key).text !== sent) return;
    drafts.clear(key);
    onClose();
  };
  const discard = () => {
    drafts.clear(key);
    onClose();
  };
  return (
    <section className="memory-form" aria-label={texts.newTitle}>
      <MemoryForm
        id="composer"
        fields={fields}
        autoFocus={isFresh}
        onChange={(typed) => {
          setSimilar([]);
          setDraft(draftOf(typed));
        }}
        onSubmit={() => void create(null)}
        onCancel={() => {
          // With a text in it Escape would throw away what was typed; that is what the button is for.
          if (drafts.read(key).text === '') onClose();
        }}
      />
      {similar.length > 0 ? (
        <Similar
          ownerId={ownerId}
          entries={similar}
          isDisabled={isSaving}
          onReplace={(replaces) => void create({ replaces })}
          onKeepBoth={() => void create({ beside: true })}
          onBack={() => {
            setSimilar([]);
            document.getElementById('composer')?.focus();
          }}
        />
      ) : (
        <div className="dialog-actions">
          <Button small onPress={discard}>
            {draft.text === '' ? strings.common.cancel : texts.conflict.discard}
          </Button>
          <Button small kind="primary" isDisabled={!isComplete(fields) || isSaving} onPress={() => void create(null)}>
            {isSaving ? texts.saving : texts.save}
            <kbd className="on-accent">{shortcutLabel('mod+Enter')}</kbd>
          </Button>
        </div>
      )}
    </section>
  );
}

/** Says what became of it. */
function tell(
  { toasts }: ReturnType<typeof useSidekeep>,
  { title, withheld, threat }: MemoryTitle,
  replaced: boolean,
  clamped: boolean,
): void {
  const name = plainTitle(title);
  const said = [
    replaced ? texts.replaced(name) : withheld ? texts.storedWithheld(threat?.reason ?? '') : null,
    clamped ? texts.clamped : null,
  ].filter((sentence) => sentence !== null);
  if (said.length === 0) announce(texts.stored(name));
  else toasts.show(said.join(' '), { kind: 'remembered' });
}
