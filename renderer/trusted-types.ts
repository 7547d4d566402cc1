import { config } from 'zod';

// Zod would try `new Function` to see whether it may compile its checks; the policy forbids and reports that.
config({ jitless: true });

/**
 * The pages run under `require-trusted-types-for 'script'`. React Aria's announcer empties its live region through
 * `innerHTML = ''`; that is the only text this policy lets through, so no other markup can ever reach the page.
 * Imported first by both entry points.
 */
interface PolicyFactory {
  createPolicy(name: 'default', rules: { createHTML: (text: string) => string | null }): unknown;
}

const factory = (window as { trustedTypes?: PolicyFactory }).trustedTypes;
factory?.createPolicy('default', { createHTML: (text) => (text === '' ? '' : null) });
