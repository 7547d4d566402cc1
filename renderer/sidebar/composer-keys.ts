import type { ComposerMode } from '../../src/contract/index.ts';

/** Key of the draft of a composer. */
export const composerKey = (ownerId: string, mode: ComposerMode): string => `${ownerId}/new-${mode}`;

/** Key of the draft of a new plan's title. */
export const planTitleKey = (ownerId: string): string => `${ownerId}/new-plan-title`;
