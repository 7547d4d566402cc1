import type { Page } from '@playwright/test';

/** Calls `group.name` on the window's bridge as page code would, past the client. */
export async function callBridge(page: Page, name: string, input: unknown): Promise<Answer> {
  return page.evaluate(
    async ([callName, argument]) => {
      const [group = '', method = ''] = (callName as string).split('.');
      const bridge = (globalThis as unknown as { sidekeep: Record<string, Record<string, (i: unknown) => unknown>> })
        .sidekeep;
      const call = bridge[group]?.[method];
      if (!call) return { ok: false, error: { code: 'absent' } };
      return call(argument);
    },
    [name, input],
  ) as Promise<Answer>;
}

/** What a call answers, loosely: the specs look at single fields. */
export interface Answer {
  ok: boolean;
  value?: Record<string, unknown>;
  error?: { code: string; status?: number; message?: string; detail?: Record<string, unknown> };
}
