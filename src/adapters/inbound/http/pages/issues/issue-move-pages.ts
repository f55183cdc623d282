import type { MovableIssue } from '../../../../../application/planning/issue-moves.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { permittedToMove } from '../../api-v4/issues/find-movable.js';
import { field } from '../form-fields.js';
import { addFormPage, typed, type Refusal } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import {
  addressOfIssues,
  findIssueToChange,
  ISSUE,
  type FoundToChange,
  type IssuePagesParts,
} from './issue-pages-parts.js';

type Found = FoundToChange & MovableIssue;

interface Words {
  readonly verb: 'move' | 'clone';
  readonly title: (iid: number) => string;
  readonly button: string;
  readonly consequences: readonly string[];
}

const MOVE: Words = {
  verb: 'move',
  title: (iid) => `Move issue #${iid}`,
  button: 'Move issue',
  consequences: [
    'The issue is closed here, and says where it went.',
    'Comments, emoji, time, subscribers and links go along; labels and the milestone do where the other project has some of that name.',
    'Whoever may read the issues of the other project may read this one.',
  ],
};

const CLONE: Words = {
  verb: 'clone',
  title: (iid) => `Clone issue #${iid}`,
  button: 'Clone issue',
  consequences: [
    'You open another issue like this one. Labels and the milestone go along where the project has some of that name.',
  ],
};

/** Taking issues to other projects, and making others like them. */
export const addIssueMovePages = (pages: Pages, parts: IssuePagesParts): void => {
  const find = async (context: PageContext): Promise<Found> => {
    const found = await findIssueToChange(parts, context);
    const { fullPath } = found.place.project;
    return { ...found, moving: await parts.access.project(actorOf(context.browser), fullPath, 'move_issues') };
  };

  const show = (words: Words) => (context: PageContext, found: Found, refusal: Refusal) => {
    const { issue, place, address } = found;
    const before = words.verb === 'clone' ? place.project.fullPath : '';
    return sendProjectPage(context, place, 'issue-move', {
      ...words,
      tab: 'issues',
      title: words.title(issue.iid),
      address,
      form: typed(context, { project: before, with_notes: 'false' }),
      ...refusal,
    });
  };

  /** @throws Invalid where there is no such project for them. */
  const targetIn = async ({ request, browser }: PageContext, { verb }: Words): Promise<Permitted<'move_issues'>> => {
    try {
      return await permittedToMove(parts.access, actorOf(browser), field(request, 'project').trim(), verb);
    } catch (error) {
      throw error instanceof NotFound ? new Invalid({ project: ['is not the path of a project that you see'] }) : error;
    }
  };

  addFormPage<Found>(pages, {
    path: `${ISSUE}/move`,
    find,
    show: show(MOVE),
    act: async (context, found) => {
      const to = await targetIn(context, MOVE);
      const iid = await parts.issueMoves.move(actorOf(context.browser), found, to);
      return { notice: `Issue moved to ${to.project.fullPath}#${iid}.`, to: `${addressOfIssues(to)}/${iid}` };
    },
  });

  addFormPage<Found>(pages, {
    path: `${ISSUE}/clone`,
    find,
    show: show(CLONE),
    act: async (context, found) => {
      const to = await targetIn(context, CLONE);
      const withNotes = field(context.request, 'with_notes') === 'true';
      const iid = await parts.issueMoves.clone(actorOf(context.browser), found, to, withNotes);
      return { notice: `Issue cloned as ${to.project.fullPath}#${iid}.`, to: `${addressOfIssues(to)}/${iid}` };
    },
  });
};
