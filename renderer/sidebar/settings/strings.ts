/** The texts of the settings. */
export const settingsTexts = {
  title: 'Settings',
  chats: {
    label: 'Show chats without a project',
    hint: 'Off, Chats and its sessions are left out of the list of places. Nothing is deleted, and they are back as soon as this is on.',
  },
  memory: {
    label: 'Memory',
    hint: 'Short facts, preferences and references that your agents should know, for one place or for all. Sessions are told the titles only. On, Notes, Todo and Plans have Memory beside them. Off, nothing of it is read, shown or told, and what is stored stays on the disk as it is.',
  },
  notChanged: (reason: string) => `The setting was not changed. ${reason}`,
};
