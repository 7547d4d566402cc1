import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ContextNotice } from '../../src/contract/index.ts';
import { useContext, useSidekeep, useWatcher, useWindows } from '../state/hooks.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { shortcutLabel } from '../ui/keys.ts';
import { Banner } from '../ui/states.tsx';
import { strings } from '../ui/strings.ts';
import { useMiniChat } from './mini-chat-state.ts';
import { Stale } from './reading-problem.tsx';
import { texts } from './strings.ts';

/** What the person should know and need not act on at once. Each can be put away until it changes. */
export function Notices({ vanished, onVanishedSeen }: { vanished: string | null; onVanishedSeen: () => void }) {
  const { target, showInSidebar } = useMiniChat();
  const shortcutProblem = useWindows().value?.miniChat.shortcutProblem ?? null;
  const watcher = useWatcher().value;
  const { view, problem } = useContext(target.id);
  const [seen, setSeen] = useState<readonly string[]>([]);
  const quiet = (text: string | null, actions: ReactNode = null) =>
    text === null || seen.includes(text) ? null : (
      <Notice key={text} text={text} actions={actions} onSeen={() => setSeen([...seen, text])} />
    );
  return (
    <>
      {vanished === null ? null : <Notice text={vanished} onSeen={onVanishedSeen} />}
      {view !== null && problem !== null ? <Stale problem={problem} /> : null}
      {view?.readOnly ? <Banner kind="warning">{texts.failed.readOnly}</Banner> : null}
      {/* What cannot be read at all comes first. */}
      {problem === null ? <ContextNotices notices={view?.notices ?? []} /> : null}
      {quiet(
        shortcutProblem === null ? null : texts.notices.shortcut(readable(shortcutProblem)),
        <Button small onPress={() => showInSidebar()}>
          {texts.notices.changeShortcut}
        </Button>,
      )}
      {quiet(watcher?.state === 'degraded' || watcher?.state === 'stopped' ? watcherText(watcher) : null)}
    </>
  );
}

/** What happened to the context of the target: the newest of it, and how much more there is. */
function ContextNotices({ notices }: { notices: readonly ContextNotice[] }) {
  const { client, contexts, toasts } = useSidekeep();
  const { target, showInSidebar } = useMiniChat();
  const [newest, ...others] = notices.toSorted((one, other) => other.at - one.at);
  if (newest === undefined) return null;
  const dismiss = async () => {
    const result = await client.context.dismiss({ projectId: target.id, noticeId: newest.id });
    if (result.ok) contexts.accept(result.value.context);
    else toasts.show(texts.contextNotices.notDismissed(result.error.message));
  };
  const more = others.length === 0 ? '' : ` ${texts.contextNotices.more(others.length)}`;
  const place = newest.planId === null ? {} : { section: 'plans' as const, entryId: newest.planId };
  return (
    <Notice
      text={noticeText(newest) + more}
      actions={
        <Button small aria-label={texts.contextNotices.showHint} onPress={() => showInSidebar(place)}>
          {texts.contextNotices.show}
        </Button>
      }
      onSeen={() => void dismiss()}
    />
  );
}

function noticeText({ kind, planId, backupId, count }: ContextNotice): string {
  if (kind === 'overwritten' && backupId === null) return texts.contextNotices.notKept;
  return planId !== null && (kind === 'overwritten' || kind === 'displaced')
    ? texts.contextNotices.plan
    : texts.contextNotices.kinds[kind](count);
}

/** The main process names a shortcut in Electron's notation. */
const readable = (problem: string): string =>
  problem.replace(/\b(?:CommandOrControl|CmdOrCtrl)\b/g, shortcutLabel('mod'));

const watcherText = ({ state, reason }: { state: 'degraded' | 'stopped' | string; reason: string | null }): string =>
  `${state === 'stopped' ? strings.status.watcherText.stopped : strings.status.watcherText.degraded} ${reason ?? ''}`.trim();

function Notice({ text, actions = null, onSeen }: { text: string; actions?: ReactNode; onSeen: () => void }) {
  return (
    <Banner
      kind="info"
      actions={
        <>
          {actions}
          <IconButton label={strings.common.dismiss} onPress={onSeen}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </>
      }
    >
      <bdi>{text}</bdi>
    </Banner>
  );
}
