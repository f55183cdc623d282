import type { Permitted } from '../../../../../application/shared/permitted.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { CodeAddresses } from './code-addresses.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';

/** Asks before all branches go that have reached the default branch. */
export const addMergedBranchesPage = (pages: Pages, { access, removeMergedBranches }: CodeWritingPagesParts): void =>
  addRemovalPage<Permitted<'push_code'>>(pages, {
    path: '/*path/-/branches/remove_merged',
    find: (context) => projectOfPage(access, context, 'push_code'),
    ask: async ({ browser, places }, permitted) => ({
      title: 'Delete all merged branches?',
      consequences: [
        `Every branch whose commits are all in ${permitted.project.defaultBranch ?? 'the default branch'} is deleted.`,
        'Protected branches stay.',
      ],
      button: 'Delete merged branches',
      cancel: new CodeAddresses(permitted.project.fullPath).page('branches'),
      frame: await places.ofProject(browser, permitted, 'files'),
    }),
    act: async ({ browser }, permitted) => {
      await removeMergedBranches.request(permitted, actorOf(browser));
      return {
        notice: 'Merged branches are being deleted. That may take a moment.',
        to: new CodeAddresses(permitted.project.fullPath).page('branches'),
      };
    },
  });
