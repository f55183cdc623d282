import { PROJECT_MEMBER_LEVELS } from '../shared/access-level.js';
import { Conflict, Unprocessable } from '../shared/domain-error.js';
import { ProblemCollector } from '../shared/problem-collector.js';

/** What members of a group have in a project that is shared with it: at most this level, until the day on which it ends. */
export interface LinkTerms {
  readonly accessLevel: number;
  /** UTC day on which it ends; null is never. */
  readonly expiresAt: string | null;
}

/** Groups that a project is shared with. */
const MOST_LINKS = 100;

/** @throws Invalid. */
export const checkLinkTerms = ({ accessLevel, expiresAt }: LinkTerms, today: string): void => {
  new ProblemCollector()
    .check(PROJECT_MEMBER_LEVELS.includes(accessLevel), 'group_access', 'is not included in the list')
    .check(expiresAt === null || expiresAt > today, 'expires_at', 'cannot be a date in the past')
    .refuse();
};

/** The members of whatever holds a project are its members already. @throws Conflict. */
export const requireGroupElsewhere = (projectPath: string, groupPath: string): void => {
  if (projectPath.startsWith(`${groupPath}/`)) throw new Conflict('This group holds the project already');
};

/** @throws Unprocessable. */
export const requireRoomForLink = (links: number): void => {
  if (links >= MOST_LINKS) throw new Unprocessable(`A project is shared with at most ${MOST_LINKS} groups`);
};
