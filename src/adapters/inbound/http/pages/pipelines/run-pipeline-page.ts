import type { CreatePipelines } from '../../../../../application/pipelines/create-pipelines.js';
import type { OfferedVariables } from '../../../../../application/pipelines/offered-variables.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { CodePage, openCode, type OpenCode } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import type { Pages } from '../page.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import { inputsInForm } from './inputs-field.js';
import { chosenIn, offeredFields } from './offered-fields.js';
import { variablesIn } from './variables-field.js';

export interface RunPipelinePageParts extends CodePagesParts {
  readonly createPipelines: CreatePipelines;
  readonly offeredVariables: OfferedVariables;
}

interface Place {
  readonly runner: Permitted<'run_pipelines'>;
  readonly open: OpenCode;
}

/** Pipelines > Run a pipeline: the CI file of a branch or tag, as it is now. */
export const addRunPipelinePage = (pages: Pages, parts: RunPipelinePageParts): void => {
  const { access, locate } = parts;
  const page = new CodePage(parts);
  const offeredAt = ({ browser }: PageContext, { permitted }: OpenCode, branch: string) =>
    parts.offeredVariables.of(actorFor(browser), permitted, branch.trim());
  addFormPage<Place>(pages, {
    path: '/*path/-/pipelines/new',
    find: async ({ browser, request }) => {
      const actor = actorFor(browser);
      const runner = await access.project(actor, projectPath(request), 'run_pipelines');
      return { runner, open: openCode(access.also(actor, runner, 'read_code')) };
    },
    show: async (context, { open }, refusal) => {
      const { project } = open.permitted;
      const main = await locate.defaultVersion(open.permitted);
      const before = { branch: project.defaultBranch ?? DEFAULT_BRANCH, variables: '', inputs: '' };
      const form = typed(context, before);
      await page.show(
        context,
        'run-pipeline',
        { ...open, ...main },
        {
          title: `Run a pipeline of ${project.name}`,
          tab: 'pipelines',
          // What is wrong of the file is told at the branch.
          fieldIds: { base: 'branch' },
          fieldLabels: { base: '' },
          form,
          offered: offeredFields(context, await offeredAt(context, open, form.branch)),
          ...refusal,
        },
      );
    },
    act: async (context, { runner, open }) => {
      // The form is shown again, with what the file of that branch offers.
      if (field(context.request, 'look') !== '') return undefined;
      const branch = field(context.request, 'branch').trim();
      const written = variablesIn(context);
      const chosen = chosenIn(context, await offeredAt(context, open, branch));
      const pipeline = await parts.createPipelines.create(actorOf(context.browser), runner, {
        ref: branch,
        source: 'web',
        variables: [...chosen.filter(({ key }) => !written.some((each) => each.key === key)), ...written],
        inputs: inputsInForm(context),
      });
      return {
        notice: `Pipeline #${pipeline.iid} begun.`,
        to: `/${runner.project.fullPath}/-/pipelines/${pipeline.id}`,
      };
    },
  });
};
