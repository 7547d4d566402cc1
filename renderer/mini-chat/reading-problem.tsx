import { FileWarning, FolderX, Unplug } from 'lucide-react';
import type { CallError } from '../../src/contract/index.ts';
import { useSidekeep } from '../state/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Banner, State } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { texts } from './strings.ts';

/** In place of entries that could not be read. */
export function Failed({ problem }: { problem: CallError }) {
  const { contexts } = useSidekeep();
  const { target, showInSidebar } = useMiniChat();
  const { title, icon } = describeProblem(problem);
  return (
    <State
      icon={icon}
      title={title}
      actions={
        <>
          <Button small onPress={() => void contexts.load(target.id)}>
            {strings.common.retry}
          </Button>
          <Button small onPress={() => showInSidebar()}>
            {texts.header.open}
          </Button>
        </>
      }
    >
      {problem.message} {texts.failed.kept}
    </State>
  );
}

/** Above entries that can no longer be read anew. */
export function Stale({ problem }: { problem: CallError }) {
  const { contexts } = useSidekeep();
  const { target, showInSidebar } = useMiniChat();
  return (
    <Banner
      kind="warning"
      actions={
        <>
          <Button small onPress={() => void contexts.load(target.id)}>
            {strings.common.retry}
          </Button>
          <Button small onPress={() => showInSidebar()}>
            {texts.header.open}
          </Button>
        </>
      }
    >
      <strong>{describeProblem(problem).title}.</strong> {texts.failed.stale}{' '}
      <span className="stale-detail">{problem.message}</span>
    </Banner>
  );
}

function describeProblem({ code, detail }: CallError) {
  const { title } = texts.failed;
  if (detail?.reason === 'root-missing') return { title: title.rootMissing, icon: FolderX };
  if (code === 'malformed') return { title: title.malformed, icon: FileWarning };
  if (code === 'io') return { title: title.io, icon: Unplug };
  if (code === 'not-found') return { title: title['not-found'], icon: FolderX };
  return { title: title.other, icon: Unplug };
}
