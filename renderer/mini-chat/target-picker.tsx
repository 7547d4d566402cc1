import { Check, ChevronDown, Folder, MessagesSquare, Search } from 'lucide-react';
import {
  Autocomplete,
  Button,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  Select,
  SelectValue,
  TooltipTrigger,
} from 'react-aria-components';
import type { ProjectList } from '../../src/contract/index.ts';
import { Tip } from '../ui/tooltip.tsx';
import { UserText } from '../ui/user-text.tsx';
import { texts } from './strings.ts';
import { nameOf, type Target, targetsOf } from './targets.ts';

const pathOf = (target: Target): string =>
  target.path ?? (target.label === null ? texts.header.chatsHint : texts.header.unknownPath);

/** Chooses where entries go: Chats or a project, found by its name or folder. */
export function TargetPicker({
  list,
  target,
  isOpen,
  onOpenChange,
  onChoose,
}: {
  list: ProjectList;
  target: Target;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  onChoose: (target: Target) => void;
}) {
  const targets = targetsOf(list);
  return (
    <Select
      className="target"
      aria-label={texts.header.target}
      value={target.id}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onChange={(id) => {
        const chosen = targets.find((candidate) => candidate.id === id);
        if (chosen) onChoose(chosen);
      }}
    >
      <TooltipTrigger delay={500} closeDelay={0}>
        <Button className="target-button">
          <TargetIcon target={target} />
          <SelectValue className="target-name">{() => <UserText as="one-line" text={nameOf(target)} />}</SelectValue>
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
        <Tip text={pathOf(target)} />
      </TooltipTrigger>
      <Popover className="popover target-popover" placement="bottom start">
        <Autocomplete filter={matches}>
          <SearchField className="target-search" aria-label={texts.header.filter} autoFocus>
            <Search size={14} aria-hidden="true" />
            <Input className="target-filter" dir="auto" placeholder={texts.header.filter} />
          </SearchField>
          <ListBox
            className="menu target-list"
            aria-label={texts.header.target}
            items={targets}
            renderEmptyState={() => <p className="target-none soft small">{texts.header.noMatch}</p>}
          >
            {(candidate) => <TargetOption target={candidate} />}
          </ListBox>
        </Autocomplete>
      </Popover>
    </Select>
  );
}

function TargetOption({ target }: { target: Target }) {
  return (
    <ListBoxItem
      id={target.id}
      textValue={`${nameOf(target)} ${target.path ?? ''}`}
      className="menu-item target-option"
    >
      {({ isSelected }) => (
        <>
          <TargetIcon target={target} />
          <span className="target-texts">
            <UserText as="one-line" text={nameOf(target)} />
            <span className="target-path">
              <UserText as="one-line" text={pathOf(target)} />
            </span>
          </span>
          {isSelected ? <Check size={16} aria-hidden="true" /> : null}
        </>
      )}
    </ListBoxItem>
  );
}

function TargetIcon({ target }: { target: Target }) {
  const Icon = target.label === null ? MessagesSquare : Folder;
  return <Icon size={16} aria-hidden="true" className="target-icon" />;
}

/** Every word that was typed is somewhere in the name or the folder, in any order. */
const matches = (text: string, typed: string): boolean => {
  const searched = text.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
};
