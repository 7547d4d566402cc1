/** Key of a target's draft. */
export const draftKey = (projectId: string): string => `${projectId}/composer`;

/** Key of a target's search. */
export const findKey = (projectId: string): string => `${projectId}/find`;
