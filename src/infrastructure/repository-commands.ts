import type { RepositoryCommands } from '../adapters/inbound/cli/repository-commands.js';
import type { CommandParts, WithService } from './command-service.js';
import { REPOSITORY_TOKENS } from './composition/repositories.tokens.js';
import { TOKENS } from './composition/tokens.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MINUTES = /^[1-9]\d{0,5}$/;

const checkMinutes = (minutes: string): number => {
  if (!MINUTES.test(minutes)) throw new Error(`"${minutes}" is no number of minutes (expected 1 to 999999).`);
  return Number(minutes) * MINUTE_MS;
};

/** `gatehouse repositories …` */
export const createRepositoryCommands = (
  { print, tell }: CommandParts,
  withService: WithService,
): RepositoryCommands => ({
  checkRepositories: async ({ project, all, minutes }) => {
    const longest = minutes === undefined ? undefined : checkMinutes(minutes);
    await withService(async ({ container }) => {
      const now = container.get(TOKENS.clock).now().getTime();
      const { checkRepositories } = container.get(REPOSITORY_TOKENS.repositories);
      const { checked, faulty, cut } = await checkRepositories.execute(
        {
          // One that is named is meant, whenever it was checked.
          since: all === true || project !== undefined ? null : new Date(now - DAY_MS),
          until: longest === undefined ? null : new Date(now + longest),
          ...(project === undefined ? {} : { path: project }),
        },
        (path, fault) => print(`${path}: ${fault}`),
      );
      if (project !== undefined && checked === 0) throw new Error(`There is no repository of a project "${project}".`);
      if (cut) tell('The time is over: run it again to go on.');
      if (faulty > 0) throw new Error(`Checked ${checked} repositories, and found faults in ${faulty}.`);
      tell(`Checked ${checked} repositories, and found all well.`);
    });
  },
});
