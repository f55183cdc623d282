import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Projects } from '../../../../../application/workspace/projects.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ciConfigPathIn } from '../../../../../domain/shared/ci-config-path.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';

export interface CiFilePageParts {
  readonly access: WorkspaceAccess;
  readonly projects: Projects;
}

type Place = PermittedProject<'manage_project'>;

const FIELD_LABELS = { ci_config_path: 'path' };

const valuesOf = ({ project }: Place) => ({ ci_config_path: project.ciConfigPath ?? '' });

/** Settings > CI/CD > CI file: where it is. */
export const addCiFilePage = (pages: Pages, { access, projects }: CiFilePageParts): void =>
  addFormPage<Place>(pages, {
    path: '/*path/-/settings/ci_file',
    find: (context) => projectOfPage(access, context, 'manage_project'),
    show: (context, place, refusal) => {
      const { name, fullPath } = place.project;
      return sendProjectPage(context, place, 'ci/file', {
        tab: 'ci-cd',
        title: `CI file of ${name}`,
        address: `/${fullPath}/-/settings/ci_file`,
        above: `/${fullPath}/-/settings/ci_cd`,
        form: typed(context, valuesOf(place)),
        seen: seenIn(context, valuesOf(place)),
        fieldLabels: FIELD_LABELS,
        ...refusal,
      });
    },
    act: async (context, place) => {
      refuseOvertaken(context, valuesOf(place));
      await projects.edit(place, { ciConfigPath: ciConfigPathIn(field(context.request, 'ci_config_path')) });
      return { notice: 'Path of the CI file saved.', to: `/${place.project.fullPath}/-/settings/ci_cd` };
    },
  });
