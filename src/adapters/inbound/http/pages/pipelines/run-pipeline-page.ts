import type { CreatePipelines } from '../../../../../application/pipelines/create-pipelines.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { isGivenKey, MAX_GIVEN_VALUE, MOST_GIVEN_VARIABLES } from '../../../../../domain/pipelines/given-variable.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { CodePage, openCode, type OpenCode } from '../code/code-page.js';
import type { CodePagesParts } from '../code/code-pages-parts.js';
import { field } from '../form-fields.js';
import { addFormPage, textField, typed } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';

export interface RunPipelinePageParts extends CodePagesParts {
  readonly createPipelines: CreatePipelines;
}

interface Place {
  readonly runner: Permitted<'run_pipelines'>;
  readonly open: OpenCode;
}

/** Pipelines > Run a pipeline: the CI file of a branch or tag, as it is now. */
export const addRunPipelinePage = (pages: Pages, parts: RunPipelinePageParts): void => {
  const { access, locate } = parts;
  const page = new CodePage(parts);
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
          form: typed(context, { branch: project.defaultBranch ?? DEFAULT_BRANCH, variables: '' }),
          ...refusal,
        },
      );
    },
    act: async (context, { runner }) => {
      const wanted = { ref: field(context.request, 'branch').trim(), variables: variablesIn(context) };
      const pipeline = await parts.createPipelines.create(actorOf(context.browser), runner, {
        ...wanted,
        source: 'web',
      });
      return {
        notice: `Pipeline #${pipeline.iid} begun.`,
        to: `/${runner.project.fullPath}/-/pipelines/${pipeline.id}`,
      };
    },
  });
};

/** One a line, as in `COLOR=red`. @throws Invalid at `variables`. */
const variablesIn = (context: PageContext): readonly CiValue[] => {
  const lines = textField(context, 'variables')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > MOST_GIVEN_VARIABLES) throw wrong(`are at most ${MOST_GIVEN_VARIABLES}`);
  return lines.map((line) => {
    const end = line.indexOf('=');
    const [key, value] = [line.slice(0, end).trim(), line.slice(end + 1)];
    if (end < 0 || !isGivenKey(key))
      throw wrong(`need a key of letters, digits and _ before a = in each line: ${line.slice(0, 80)}`);
    if (value.length > MAX_GIVEN_VALUE) throw wrong(`have at most ${MAX_GIVEN_VALUE} characters each`);
    return { key, value };
  });
};

const wrong = (problem: string): Invalid => new Invalid({ variables: [problem] });
