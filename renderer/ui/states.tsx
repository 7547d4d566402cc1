import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { strings } from './strings.ts';

/**
 * A place with nothing to list: says why, and what to do next.
 * @param isPage it stands for all that would be there, so that its title is the heading of the page
 */
export function State({
  icon: Icon,
  title,
  children,
  actions,
  isPage = false,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  isPage?: boolean;
}) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="state">
      <Icon size={28} strokeWidth={1.5} aria-hidden="true" />
      <Title className="state-title">{title}</Title>
      <p className="state-text">{children}</p>
      {actions ? <div className="state-actions">{actions}</div> : null}
    </div>
  );
}

/** Rows to come. */
export function Loading({ label = strings.common.loading, rows = 4 }: { label?: string; rows?: number }) {
  return (
    <div role="status" className="loading">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={index} className="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}

const bannerIcons = { info: Info, warning: TriangleAlert, danger: CircleAlert } as const;

/** A message about what stands below it, with what can be done. Announced politely when it appears. */
export function Banner({
  kind,
  children,
  actions,
}: {
  kind: keyof typeof bannerIcons;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const Icon = bannerIcons[kind];
  return (
    <div className={`banner banner-${kind}`} role="status">
      <Icon size={16} aria-hidden="true" />
      <div className="banner-text">{children}</div>
      {actions ? <div className="banner-actions">{actions}</div> : null}
    </div>
  );
}
