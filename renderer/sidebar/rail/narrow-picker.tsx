import { ChevronsUpDown, MessagesSquare, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import type { ProjectList } from '../../../src/contract/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { strings } from '../../ui/strings.ts';
import { plainTitle, UserText } from '../../ui/user-text.tsx';
import { navigation } from '../navigation.ts';
import { openDialog } from '../open-dialog.ts';
import { sessionTexts } from '../sessions/strings.ts';
import { AddProject } from './add-project.tsx';
import { useChatsMenu } from './chats-row.tsx';
import { useChatsVisible } from './chats-visible.ts';
import { NarrowActions } from './narrow-actions.tsx';

/** Stands in for the rail where the window is narrow. */
export function NarrowPicker({ list, current }: { list: ProjectList; current: string }) {
  const [adding, setAdding] = useState(false);
  const isChatsVisible = useChatsVisible();
  const chatsMenu = useChatsMenu(list.chatsId);
  const places = [
    ...(isChatsVisible || current === list.chatsId ? [{ id: list.chatsId, label: strings.common.chats }] : []),
    ...list.projects.filter((project) => project.id !== list.chatsId && (!project.hidden || project.id === current)),
  ];
  const project = list.projects.find((candidate) => candidate.id === current && candidate.id !== list.chatsId);
  return (
    <nav className="narrow-picker" aria-label={strings.rail.label}>
      <Select
        className="narrow-picker-select"
        aria-label={strings.rail.select}
        value={current}
        onChange={(id) => navigation.goToProject(id === list.chatsId ? null : String(id))}
      >
        <Button className="button narrow-picker-button">
          <SelectValue className="narrow-picker-value">
            <UserText text={places.find((place) => place.id === current)?.label ?? ''} as="one-line" />
          </SelectValue>
          <ChevronsUpDown size={15} aria-hidden="true" />
        </Button>
        <Popover className="popover">
          <ListBox className="menu" items={places}>
            {(place) => (
              <ListBoxItem id={place.id} textValue={plainTitle(place.label)} className="menu-item">
                <UserText text={place.label} as="one-line" />
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </Select>
      {project ? (
        <NarrowActions project={project} />
      ) : (
        <MenuButton label={strings.rail.actions(strings.common.chats)} entries={chatsMenu} />
      )}
      <IconButton
        label={sessionTexts.list.narrow}
        onPress={() => {
          const label = places.find((place) => place.id === current)?.label ?? '';
          openDialog.set({ kind: 'session-list', owner: { id: current, title: plainTitle(label) } });
        }}
      >
        <MessagesSquare size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label={strings.rail.add} onPress={() => setAdding(true)}>
        <Plus size={16} aria-hidden="true" />
      </IconButton>
      <AddProject isOpen={adding} onClose={() => setAdding(false)} />
    </nav>
  );
}
