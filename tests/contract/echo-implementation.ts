import { calls, type Implementation } from '../../src/contract/index.ts';

/** What a handler was called with. */
export interface Received {
  name: string;
  input: unknown;
}

/**
 * An implementation for tests of the bridge alone: every call of the contract is recorded and answered by `answer`.
 */
export function recordingImplementation(answer: (name: string, input: unknown) => unknown): {
  implementation: Implementation;
  received: Received[];
} {
  const received: Received[] = [];
  const groups: Record<string, Record<string, (input: unknown) => Promise<unknown>>> = {};
  for (const name of calls.keys()) {
    const [group = '', method = ''] = name.split('.');
    groups[group] ??= {};
    groups[group][method] = async (input) => {
      received.push({ name, input });
      return answer(name, input);
    };
  }
  return { implementation: groups as unknown as Implementation, received };
}
