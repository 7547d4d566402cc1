import { childPath } from '../files/index.ts';
import { type Artifact, artifactName, artifactOf, registerArtifact } from '../sessions/artifacts.ts';
import type { SessionFiles } from '../sessions/session-files.ts';

/**
 * What a session is told of, and what it was told (docs/formats/context-format.md, section 13). A copy gets a file of its
 * own with the pins, but not with what was told: it may have been copied from before that.
 */
export const knowledgeArtifact: Artifact = {
  kind: 'knowledge',
  suffix: '.knowledge.json',
  family: 'stem',
  form: 'file',
  nature: 'content',
  seed: null,
  scan: 'part',
  rename: 'untouched',
  fork: 'new',
  trash: 'content',
  restore: 'early',
  purge: 'with-entry',
  privacy: 'names',
};

registerArtifact(knowledgeArtifact);

/** Path of the file of a session, which need not exist. */
export async function knowledgePath(files: SessionFiles): Promise<string> {
  return childPath(await files.store.root.path(), artifactName(knowledgeArtifact, files.id));
}

const summary = artifactName(artifactOf('context'), '');

/** The session whose file with this name says what it is to be told, or makes it be told again; null for any other name. */
export function sessionIdOf(name: string): string | null {
  const suffix = [knowledgeArtifact.suffix, summary].find((one) => name.endsWith(one)) ?? name;
  return name === suffix ? null : name.slice(0, -suffix.length);
}
