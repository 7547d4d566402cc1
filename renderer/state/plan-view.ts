import type { CallError, PlanDocument } from '../../src/contract/index.ts';

/** The editor as a session sees it: CodeMirror in the window, a string in tests. */
export interface PlanText {
  /** The document, byte for byte as it would be saved. */
  read(): string;
  /** Opens a document: no undo leads behind it. */
  open(raw: string): void;
  /** Writes text that did not come from the person as one undo step; cursor and scroll stay where they are. */
  replace(raw: string): void;
  isComposing(): boolean;
}

export type PlanPhase = 'loading' | 'ready' | 'failed' | 'deleted' | 'missing';

/** What the window shows around the text. */
export interface PlanView {
  readonly phase: PlanPhase;
  /** Why it could not be read, with `failed`. */
  readonly error: CallError | null;
  /** The person typed something that is not on disk. */
  readonly unsaved: boolean;
  readonly saving: boolean;
  /** The other document, when both it and unsaved text exist. */
  readonly theirs: PlanDocument | null;
  readonly readOnly: PlanDocument['readOnly'];
  /** Code units over the limit; nothing is saved while it is above 0. */
  readonly excess: number;
}
