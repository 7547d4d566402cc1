import { CircleAlert, FolderX } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { type CallError, type ContextSnapshot, Section } from '../../src/contract/index.ts';
import { useContext, useSidekeep } from '../state/hooks.ts';
import { useMemoryEnabled, useMemoryList } from '../state/memory-hooks.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { shortcutLabel } from '../ui/keys.ts';
import { PinsFor } from '../ui/knowledge/pins-context.tsx';
import { Banner, Loading, State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { plainTitle, UserText } from '../ui/user-text.tsx';
import { HealthNotice } from './health-notice.tsx';
import { MemorySection } from './memory/memory-section.tsx';
import { memoryTexts } from './memory/strings.ts';
import { navigation, sections } from './navigation.ts';
import { NotesSection } from './notes/notes-section.tsx';
import { ContextNotices } from './notices/context-notices.tsx';
import { type Owner, openDialog, shownOwner } from './open-dialog.ts';
import { PaneMenu } from './pane-menu.tsx';
import { PlansSection } from './plans/plans-section.tsx';
import { texts } from './strings.ts';
import { TodosSection } from './todos/todos-section.tsx';
import { lastSession } from './transcript/last-session.ts';

/** One owner: its name, its sections, and what has to be known about its file. */
export function ContextPane({ ownerId, title, subtitle }: { ownerId: string; title: string; subtitle: string }) {
  const { editing } = useSidekeep();
  const { view, confirmed, problem } = useContext(ownerId);
  const { section } = useStore(navigation);
  const hasMemory = useMemoryEnabled();
  const last = useStore(lastSession);
  // Switched off while it was shown, or since it was.
  const shown = section === 'memory' && !hasMemory ? 'notes' : section;
  useEffect(() => {
    if (confirmed) editing.reconcile(confirmed);
  }, [editing, confirmed]);
  const owner = useMemo(() => ({ id: ownerId, title: plainTitle(title) }), [ownerId, title]);
  useEffect(() => shownOwner.set(owner), [owner]);
  return (
    <Tabs
      className="pane"
      selectedKey={shown}
      onSelectionChange={(key) => navigation.goToSection(sections.find((each) => each === key) ?? 'notes')}
    >
      <header className="pane-head">
        <div className="pane-titles">
          <h1 className="pane-title">
            <UserText text={title} as="one-line" />
          </h1>
          <p className="pane-path">
            <UserText text={subtitle} as="one-line" />
          </p>
        </div>
        <div className="pane-bar">
          <SectionTabs view={view} memoryOf={hasMemory ? ownerId : null} />
          <PaneMenu owner={owner} />
        </div>
      </header>
      <div className="pane-notices">
        {view && problem ? <StaleNotice owner={owner} problem={problem} /> : null}
        {view?.readOnly ? <Banner kind="warning">{strings.context.newerVersion}</Banner> : null}
        {view && problem === null ? <ContextNotices owner={owner} view={view} /> : null}
        {view ? <HealthNotice items={view.health} /> : null}
      </div>
      <PinsFor row={last?.ownerId === ownerId ? last : null}>
        {Section.options.map((id) => (
          <TabPanel key={id} id={id} className={view && problem ? 'pane-body pane-stale' : 'pane-body'}>
            {view ? <SectionBody section={id} view={view} /> : null}
            {view === null && problem ? <FailedContext owner={owner} problem={problem} /> : null}
            {view === null && problem === null ? (
              <div className="pane-state column">
                <Loading />
              </div>
            ) : null}
          </TabPanel>
        ))}
      </PinsFor>
      {hasMemory ? (
        <TabPanel id="memory" className="pane-body">
          <MemorySection owner={owner} />
        </TabPanel>
      ) : null}
    </Tabs>
  );
}

/** @param memoryOf whose memory has a tab; null while memory is switched off */
function SectionTabs({ view, memoryOf }: { view: ContextSnapshot | null; memoryOf: string | null }) {
  return (
    <TabList className="tabs" aria-label={strings.context.sections}>
      {Section.options.map((id, index) => (
        <Tab key={id} id={id} className="tab" aria-keyshortcuts={`Control+${index + 1}`}>
          {strings.common[id]}
          {view ? <span className="tab-count">{view[id].length}</span> : null}
          <TabKey index={index} />
        </Tab>
      ))}
      {memoryOf === null ? null : (
        <Tab id="memory" className="tab" aria-keyshortcuts={`Control+${sections.length}`}>
          {memoryTexts.section}
          <MemoryCount ownerId={memoryOf} />
          <TabKey index={sections.length - 1} />
        </Tab>
      )}
    </TabList>
  );
}

const TabKey = ({ index }: { index: number }) => (
  <span className="tab-key" aria-hidden="true">
    {shortcutLabel(`mod+${index + 1}`)}
  </span>
);

function MemoryCount({ ownerId }: { ownerId: string }) {
  const list = useMemoryList(ownerId).value;
  return list === null ? null : <span className="tab-count">{list.entries.length}</span>;
}

function SectionBody({ section, view }: { section: Section; view: ContextSnapshot }) {
  if (section === 'notes') return <NotesSection ownerId={view.projectId} notes={view.notes} readOnly={view.readOnly} />;
  if (section === 'todos') return <TodosSection ownerId={view.projectId} todos={view.todos} readOnly={view.readOnly} />;
  return <PlansSection ownerId={view.projectId} plans={view.plans} readOnly={view.readOnly} />;
}

/** Reads the file once more, and where it is damaged goes back to an earlier version. */
function ProblemActions({ owner, problem }: { owner: Owner; problem: CallError }) {
  const { contexts } = useSidekeep();
  return (
    <>
      <Button small onPress={() => void contexts.load(owner.id)}>
        {strings.common.retry}
      </Button>
      {problem.code === 'malformed' ? (
        <Button small onPress={() => openDialog.set({ kind: 'versions', owner, backupId: null })}>
          {texts.versions.recover}
        </Button>
      ) : null}
    </>
  );
}

/** The file can no longer be read, and what was read before is still shown. */
function StaleNotice({ owner, problem }: { owner: Owner; problem: CallError }) {
  return (
    <Banner kind="danger" actions={<ProblemActions owner={owner} problem={problem} />}>
      <p>{strings.context.unreadable}</p>
      <p>{reasonOf(owner, problem)}</p>
    </Banner>
  );
}

/** Nothing could be read at all. Told apart from a context that is empty. */
function FailedContext({ owner, problem }: { owner: Owner; problem: CallError }) {
  return (
    <div className="pane-state">
      <State
        icon={problem.code === 'not-found' ? FolderX : CircleAlert}
        title={strings.context.failedTitle}
        actions={<ProblemActions owner={owner} problem={problem} />}
      >
        {reasonOf(owner, problem)}
      </State>
    </div>
  );
}

function reasonOf(owner: Owner, problem: CallError): string {
  if (problem.code === 'malformed') return texts.versions.damagedFile(owner.title);
  if (problem.detail?.reason === 'root-missing') return `${strings.context.rootMissing} ${problem.message}`;
  return problem.message;
}
