/** A name of a folder that now stands for a node, or (null) for none. */
export interface NameChange {
  readonly folder: number;
  readonly name: string;
  readonly node: number | null;
}

/** What a call did, as far as a power cut can undo it. */
export type LogEntry =
  /** The content that a file has since then; volatile until the file is synced. */
  | { readonly kind: 'write'; readonly node: number; readonly content: Buffer; readonly mtimeNs: bigint }
  /** The time of its last change that a file was given; as durable as its bytes. */
  | { readonly kind: 'dated'; readonly node: number; readonly mtimeNs: bigint }
  /** Names that changed together; volatile until their folders are synced. A rename gives its new name first. */
  | {
      readonly kind: 'names';
      readonly changes: readonly NameChange[] /** All or none, always. */;
      readonly together: boolean;
    }
  /** From here on everything before that concerns this file's bytes, or this folder's names, is durable. */
  | { readonly kind: 'sync'; readonly node: number };
