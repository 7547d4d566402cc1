import { documentedMembers, documentedStatics } from './documented.ts';

/** Thrown where a program uses a part of Electron that the host does not imitate. */
export class NotImitated extends Error {
  constructor(api: string, why = 'this needs real Electron, or a test that answers it') {
    super(`host: ${api} is not imitated; ${why}`);
    this.name = 'NotImitated';
  }
}

/** @throws NotImitated, always: the host never answers with something that only looks like Electron. */
export function refuse(api: string, why?: string): never {
  throw new NotImitated(api, why);
}

/**
 * Gives `target` an accessor for each documented member that it lacks: reading it throws by name, assigning to it (as a
 * test does that answers for it) makes it an ordinary property of that object.
 */
export function refuseMissing(target: object, documentedName: string, label: string): void {
  for (const member of documentedMembers(documentedName)) {
    if (!(member in target)) defineRefusal(target, member, `${label}.${member}`);
  }
}

/** As `refuseMissing`, for the instances and the static side of a class. */
export function refuseMissingOf(imitation: { prototype: object }, documentedName: string): void {
  refuseMissing(imitation.prototype, documentedName, documentedName);
  for (const member of documentedStatics(documentedName)) {
    if (!(member in imitation)) defineRefusal(imitation, member, `${documentedName}.${member}`);
  }
}

/** A module of Electron's that is refused as a whole: it can be imported, and throws when a documented member is used. */
export function refusedModule(name: string, documentedName: string): object {
  const module = Object.create(null) as object;
  const members = [...documentedMembers(documentedName), ...documentedStatics(documentedName)];
  for (const member of [...members, 'on', 'once', 'off', 'addListener']) {
    if (!(member in module)) defineRefusal(module, member, `${name}.${member}`);
  }
  return module;
}

/** A class of Electron's that is refused as a whole. */
export function refusedClass(name: string): new () => never {
  const imitation = {
    [name]: class {
      constructor() {
        refuse(`new ${name}()`);
      }
    },
  }[name] as new () => never;
  for (const member of documentedStatics(name)) defineRefusal(imitation, member, `${name}.${member}`);
  return imitation;
}

function defineRefusal(target: object, member: string, api: string): void {
  Object.defineProperty(target, member, {
    configurable: true,
    enumerable: false,
    get: () => refuse(api),
    set(this: object, value: unknown) {
      Object.defineProperty(this, member, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}
