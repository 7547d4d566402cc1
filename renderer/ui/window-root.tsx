import './tokens.css';
import './base.css';
import './controls.css';
import './overlays.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { connect, roleOfPage } from '../client.ts';
import { SidekeepContext, useSettings } from '../state/hooks.ts';
import { createSidekeep, type Sidekeep } from '../state/sidekeep.ts';
import { Announcer } from './announcer.tsx';
import { strings } from './strings.ts';
import { Toasts } from './toasts.tsx';

const THEME_KEY = 'sidekeep.theme';

/** Starts a window: its state over the bridge, the shared parts, and `children` in `#root`. */
export function startWindow(children: ReactNode): void {
  const place = document.getElementById('root');
  if (!place) throw new Error('the page has no root');
  // The last theme, so that a dark window does not flash white until the settings arrive.
  applyTheme(localStorage.getItem(THEME_KEY));
  const sidekeep = createSidekeep(connect(), roleOfPage(), localStorage);
  sidekeep.drafts.onStorageFailure = () => sidekeep.toasts.show(strings.common.draftsNotKept);
  addEventListener('pagehide', () => sidekeep.drafts.flush());
  addEventListener('visibilitychange', () => sidekeep.drafts.flush());
  createRoot(place).render(
    <StrictMode>
      <WindowRoot sidekeep={sidekeep}>{children}</WindowRoot>
    </StrictMode>,
  );
}

function WindowRoot({ sidekeep, children }: { sidekeep: Sidekeep; children: ReactNode }) {
  return (
    <QueryClientProvider client={sidekeep.cache}>
      <SidekeepContext value={sidekeep}>
        <ThemeOfSettings />
        {children}
        <Toasts />
        <Announcer />
      </SidekeepContext>
    </QueryClientProvider>
  );
}

function ThemeOfSettings() {
  const theme = useSettings().value?.theme;
  useEffect(() => {
    if (theme === undefined) return;
    localStorage.setItem(THEME_KEY, theme);
    applyTheme(theme);
  }, [theme]);
  return null;
}

function applyTheme(theme: string | null): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
