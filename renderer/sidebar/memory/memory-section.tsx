import { ArchiveRestore, Brain, CircleAlert, PowerOff } from 'lucide-react';
import { useState } from 'react';
import { type CallError, type MemoryList, memoryLimits } from '../../../src/contract/index.ts';
import type { Answer } from '../../state/answers.ts';
import { useSidekeep } from '../../state/hooks.ts';
import { memoryKey } from '../../state/memory-fields.ts';
import { useMemoryList } from '../../state/memory-hooks.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Banner, Loading, State } from '../../ui/states.tsx';
import { strings } from '../../ui/strings.ts';
import { UserText } from '../../ui/user-text.tsx';
import { type Owner, openDialog } from '../open-dialog.ts';
import { VirtualList } from '../virtual-list.tsx';
import { MemoryEdit } from './memory-edit.tsx';
import { MemoryRow } from './memory-row.tsx';
import { NewMemory } from './new-memory.tsx';
import { memoryTexts as texts } from './strings.ts';

type Scope = 'owner' | 'all';

/** What is remembered for an owner, or for all places. */
export function MemorySection({ owner }: { owner: Owner }) {
  const [scope, setScope] = useState<Scope>('owner');
  const own = useMemoryList(owner.id);
  const all = useMemoryList(null);
  const list = scope === 'owner' ? own : all;
  const ownerId = scope === 'owner' ? owner.id : null;
  return (
    <div className="section memory-section">
      <div className="column memory-head">
        <div className="memory-scope">
          <Segmented
            label={texts.scope}
            value={scope}
            onChange={setScope}
            options={[
              { value: 'owner', label: <ScopeLabel title={owner.title} answer={own} /> },
              { value: 'all', label: <ScopeLabel title={texts.allPlaces} answer={all} /> },
            ]}
          />
          <Button
            small
            kind="quiet"
            onPress={() => openDialog.set({ kind: 'forgotten', owner: ownerId === null ? null : owner })}
          >
            <ArchiveRestore size={14} aria-hidden="true" />
            <span className="memory-forgotten">{texts.forgotten}</span>
          </Button>
        </div>
        <p className="memory-hint">{scope === 'owner' ? texts.hint(owner.title) : texts.hintAll}</p>
      </div>
      {/* Another scope is another list, with forms of its own. */}
      <Body key={scope} ownerId={ownerId} title={owner.title} list={list} />
    </div>
  );
}

function ScopeLabel({ title, answer }: { title: string; answer: Answer<MemoryList> }) {
  return (
    <>
      <UserText text={title} as="one-line" />
      {answer.value === null ? null : <span className="tab-count">{answer.value.entries.length}</span>}
    </>
  );
}

function Body({ ownerId, title, list }: { ownerId: string | null; title: string; list: Answer<MemoryList> }) {
  if (list.problem !== null) return <Failed problem={list.problem} again={list.again} />;
  if (list.value === null) {
    return (
      <div className="pane-state column">
        <Loading />
      </div>
    );
  }
  const { entries, readOnly } = list.value;
  const most = ownerId === null ? memoryLimits.globalEntries : memoryLimits.ownerEntries;
  return (
    <>
      <div className="column memory-new">
        {readOnly ? (
          <Banner kind="warning">{texts.readOnly}</Banner>
        ) : (
          <NewMemory ownerId={ownerId} full={entries.length >= most ? most : null} />
        )}
        <LostEdits ownerId={ownerId} ids={entries.map(({ id }) => id)} />
      </div>
      {entries.length === 0 ? (
        <div className="pane-state">
          <State icon={Brain} title={texts.emptyTitle}>
            {texts.empty}
          </State>
        </div>
      ) : (
        <VirtualList
          label={ownerId === null ? texts.listAll : texts.list(title)}
          entries={entries}
          estimate={45}
          kind="memory"
          ownerId={ownerId ?? ''}
        >
          {(entry) => <MemoryRow ownerId={ownerId} entry={entry} readOnly={readOnly} />}
        </VirtualList>
      )}
    </>
  );
}

/** Edits of memories that were forgotten elsewhere: their rows are gone, their texts stay until the person decides. */
function LostEdits({ ownerId, ids }: { ownerId: string | null; ids: readonly string[] }) {
  const drafts = useStore(useSidekeep().drafts);
  const prefix = memoryKey(ownerId, '');
  const lost = [...drafts]
    .filter(([key, draft]) => key.startsWith(prefix) && draft.base !== null)
    .map(([key]) => key.slice(prefix.length))
    .filter((id) => !ids.includes(id));
  return lost.map((id) => (
    <div key={id} className="memory-lost">
      <MemoryEdit ownerId={ownerId} memoryId={id} onEnd={() => {}} />
    </div>
  ));
}

function Failed({ problem, again }: { problem: CallError; again: () => void }) {
  if (problem.detail?.disabled === true) {
    return (
      <div className="pane-state">
        <State
          icon={PowerOff}
          title={texts.offTitle}
          actions={
            <Button small onPress={() => openDialog.set({ kind: 'settings' })}>
              {texts.toSettings}
            </Button>
          }
        >
          {texts.off}
        </State>
      </div>
    );
  }
  return (
    <div className="pane-state">
      <State
        icon={CircleAlert}
        title={texts.failed}
        actions={
          <Button small onPress={again}>
            {strings.common.retry}
          </Button>
        }
      >
        {problem.message}
      </State>
    </div>
  );
}
