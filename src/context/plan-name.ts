/** Longest slug in bytes, so that the name with its suffix and a temp ending fits in 255. */
const MAXIMUM_SLUG_BYTES = 100;

/** The readable part of a plan's file name (docs/formats/context-format.md, section 7): `a-z0-9-`, never empty. */
export function slugOf(title: string): string {
  const slug = title
    .trim()
    .toLowerCase()
    .replace(/[`*_#>[\](){}.!?,:;"']/g, '')
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  return slug.slice(0, MAXIMUM_SLUG_BYTES).replace(/-$/, '') || 'plan';
}

/** The names to try for a new plan, in order: without a suffix, then `-1`, `-2` …; those already linked are left out. */
export function* planNames(createdAt: number, title: string, linked: readonly string[]): Generator<string> {
  const taken = new Set(linked.map((name) => name.toLowerCase()));
  const stem = `${createdAt}-${slugOf(title)}`;
  for (let suffix = 0; ; suffix++) {
    const name = suffix === 0 ? `${stem}.md` : `${stem}-${suffix}.md`;
    if (!taken.has(name)) yield name;
  }
}

/**
 * A base name that the plan pattern takes, for a file that came from elsewhere under any name: what does not fit becomes
 * `-`.
 */
export function safePlanName(name: string): string {
  const stem = name
    .replace(/\.md$/i, '')
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAXIMUM_SLUG_BYTES);
  return `${stem || 'plan'}.md`;
}
