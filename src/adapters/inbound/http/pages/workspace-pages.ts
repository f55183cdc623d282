import type { GroupTransfers } from '../../../../application/workspace/group-transfers.js';
import type { Groups } from '../../../../application/workspace/groups.js';
import type { CodeImportsNeed } from '../../../../application/repositories/code-imports.js';
import type { Projects, ProjectsNeed } from '../../../../application/workspace/projects.js';
import type { Pages } from './page.js';
import { addExplorePages } from './workspace/explore-pages.js';
import type { Forks } from '../../../../application/workspace/forks.js';
import type { Stars } from '../../../../application/workspace/stars.js';
import type { ProjectRelationsReader } from '../../../../application/workspace/ports/project-relations.js';
import { addAccessRequestForms } from './workspace/access-request-forms.js';
import { addForkPages } from './workspace/fork-pages.js';
import { addGroupPage } from './workspace/group-page.js';
import { addMemberPages, type MemberPagesParts } from './workspace/member-pages.js';
import { addImportPage, type ImportPageParts } from './workspace/import-page.js';
import { addPersonPage } from './workspace/person-page.js';
import { addProjectPage } from './workspace/project-page.js';
import { addStarForm } from './workspace/star-form.js';
import { addGroupSettingsPages } from './workspace/group-settings-pages.js';
import { addNewGroupPage } from './workspace/new-group-page.js';
import { addNewProjectPage } from './workspace/new-project-page.js';
import { addProjectSettingsPages } from './workspace/project-settings-pages.js';

type Parts = MemberPagesParts &
  ImportPageParts & {
    readonly groups: Groups;
    readonly groupTransfers: GroupTransfers;
    readonly projects: Projects<ProjectsNeed & CodeImportsNeed>;
    readonly forks: Forks;
    readonly relations: ProjectRelationsReader;
    readonly stars: Stars;
  };

/** In the order in which addresses are matched: what nothing else is called is a person, or the path of a project. */
export const addWorkspacePages = (pages: Pages, parts: Parts): void => {
  addExplorePages(pages, parts);
  addNewProjectPage(pages, parts);
  addImportPage(pages, parts);
  addNewGroupPage(pages, parts);
  addForkPages(pages, parts);
  addStarForm(pages, parts);
  addAccessRequestForms(pages, parts);
  addMemberPages(pages, parts);
  addGroupSettingsPages(pages, parts);
  addProjectSettingsPages(pages, parts);
  addGroupPage(pages, parts);
  addPersonPage(pages, parts);
  addProjectPage(pages, parts);
};
