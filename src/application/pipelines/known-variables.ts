import {
  commitVariables,
  placeVariables,
  serverVariables,
  userVariables,
  type CiValue,
  type CommitFacts,
} from '../../domain/pipelines/predefined-variables.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { PublicAddresses } from './ports/public-addresses.js';

interface Parts {
  readonly addresses: PublicAddresses;
  readonly users: {
    find(id: UserId): Promise<
      | {
          readonly id: UserId;
          readonly username: string;
          readonly name: string;
          readonly email: string | null;
        }
      | undefined
    >;
  };
  readonly version: string;
}

/** What is known of a pipeline before it is made: what a CI file decides by. */
export class KnownVariables {
  constructor(private readonly parts: Parts) {}

  /** What is known without a pipeline: the service, and a project and a commit of it, if any. */
  ofPlace(project: CommitFacts['project'] | undefined, sha: string | undefined): readonly CiValue[] {
    const { addresses, version } = this.parts;
    const urls = { server: addresses.root, api: addresses.api('') };
    return [
      ...serverVariables({ ...urls, project: project && addresses.project(project.fullPath) }, version),
      ...placeVariables(project, sha),
    ];
  }

  /** @param userId whom it is made for; null where nobody is known. */
  async of(facts: CommitFacts, userId: UserId | null): Promise<readonly CiValue[]> {
    const { addresses, users, version } = this.parts;
    const user = userId === null ? undefined : await users.find(userId);
    const urls = { server: addresses.root, api: addresses.api(''), project: addresses.project(facts.project.fullPath) };
    return [
      ...serverVariables(urls, version),
      ...(user === undefined ? [] : userVariables(user)),
      ...commitVariables(facts),
    ];
  }
}
