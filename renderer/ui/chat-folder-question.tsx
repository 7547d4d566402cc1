import { Folder } from 'lucide-react';
import type { FolderChoice, FolderWithFiles } from '../state/chat-deletion.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { strings } from './strings.ts';

const texts = strings.chats;

/** Asks what becomes of a chat's own folder, which holds files, when the chat is deleted. */
export function ChatFolderQuestion(props: {
  title: string;
  facts: FolderWithFiles;
  onAnswer: (choice: FolderChoice) => void;
  onClose: () => void;
}) {
  const { title, facts, onAnswer, onClose } = props;
  return (
    <Dialog title={texts.deleteTitle} isOpen onClose={onClose}>
      <div className="chat-folder">
        <p>{texts.deleteText(title, facts.files)}</p>
        <p className="chat-folder-name">
          <Folder size={14} aria-hidden="true" />
          <bdi>{facts.folder}</bdi>
        </p>
        <p className="soft small">{texts.deleteHint}</p>
      </div>
      <div className="dialog-actions">
        <Button autoFocus onPress={onClose}>
          {strings.common.cancel}
        </Button>
        <span className="spacer" />
        <Button onPress={() => onAnswer('keep')}>{texts.keepFolder}</Button>
        <Button kind="danger" onPress={() => onAnswer('trash')}>
          {texts.moveBoth}
        </Button>
      </div>
    </Dialog>
  );
}
