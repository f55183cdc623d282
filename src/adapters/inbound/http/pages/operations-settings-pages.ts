import type { AlertIntegrations } from '../../../../application/alerts/alert-integrations.js';
import type { Alerts } from '../../../../application/alerts/alerts.js';
import type {
  AlertReader,
  IntegrationReader,
  IntegrationWithKey,
} from '../../../../application/alerts/ports/alert-readers.js';
import type { PermittedProject, WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { INTEGRATION_TYPES, intakePath } from '../../../../domain/alerts/integration.js';
import { Forbidden, Invalid, NotFound } from '../../../../domain/shared/domain-error.js';
import { ACCESS_LEVEL } from '../../../../domain/workspace/access-level.js';
import { parsePayload } from '../alert-intake/read-payload.js';
import type { TakePayload } from '../alert-intake/take-payload.js';
import { HttpError } from '../http-error.js';
import type { WebUrls } from '../web-urls.js';
import { field, type PageContext, type Pages } from './page.js';
import { projectPath } from './project-path.js';
import { sendPage, type FieldProblems } from './render.js';
import { actorFor } from './workspace-pages.js';

export interface OperationsSettingsPagesParts {
  readonly access: WorkspaceAccess;
  readonly alerts: Alerts;
  readonly alertReader: AlertReader;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takePayload: TakePayload;
  readonly urls: WebUrls;
}

const ALL = { page: 1, perPage: 100 };
const PATH = '/*path/-/settings/operations';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  generic: 'Generic',
  http_endpoint: 'HTTP Endpoint',
  prometheus: 'External Prometheus',
  link: 'Link to an incident-management product',
};

/** Settings > Operations: maintainers manage integrations, developers send test alerts and see nothing else. */
export const addOperationsSettingsPages = (pages: Pages, parts: OperationsSettingsPagesParts): void => {
  const { access, alerts, alertReader, alertIntegrations, integrationReader, takePayload, urls } = parts;

  const findProject = ({ browser, request }: PageContext, needs: 'send_test_alerts' | 'manage_alert_integrations') =>
    access.project(actorFor(browser), projectPath(request), needs);

  const present = ({ integration, sealedKey }: IntegrationWithKey, projectFullPath: string) => {
    const path = integration.active ? intakePath(integration) : undefined;
    return {
      ...integration,
      typeWords: TYPE_WORDS[integration.type],
      url: path === undefined ? undefined : urls.alertIntake(projectFullPath, path),
      key: path === undefined ? undefined : alertIntegrations.reveal(sealedKey),
    };
  };

  const show = async (
    context: PageContext,
    { project, level }: PermittedProject,
    extra: object = {},
  ): Promise<void> => {
    const maintains = level >= ACCESS_LEVEL.maintainer;
    const { items } = await integrationReader.list(project.id, ALL);
    const body = (name: string) => field(context.request, name);
    sendPage(context.response, context.browser, 'operations-settings', {
      title: `Operations of ${project.name}`,
      project,
      maintains,
      address: `/${project.fullPath}/-/settings/operations`,
      integrations: maintains ? items.map((each) => present(each, project.fullPath)) : [],
      settings: maintains ? await alertReader.settings(project.id) : undefined,
      types: INTEGRATION_TYPES.map((type) => [type, TYPE_WORDS[type]]),
      form: { name: body('name'), type: body('type'), apiUrl: body('api_url'), sample: body('sample_payload') },
      payload: body('payload'),
      ...extra,
    });
  };

  /** Runs a change, and goes back to the page or says what is wrong: beside `payloadField` what is wrong with a payload. */
  const change = async (
    context: PageContext,
    place: PermittedProject,
    work: () => Promise<unknown>,
    { done = 'saved', payloadField = '' } = {},
  ): Promise<void> => {
    try {
      await work();
      context.response.redirect(303, `/${place.project.fullPath}/-/settings/operations?done=${done}`);
    } catch (error) {
      const refusal = refusalOf(error, payloadField);
      if (refusal === undefined) throw error;
      context.response.status(400);
      await show(context, place, refusal);
    }
  };

  pages.get(PATH, 'signed_in', async (context) => {
    const place = await findProject(context, 'send_test_alerts');
    const notice = NOTICES.get(String(context.request.query['done'] as string | undefined));
    await show(context, place, notice === undefined ? {} : { notice });
  });

  pages.post(`${PATH}/integrations`, 'signed_in', async (context) => {
    const place = await findProject(context, 'manage_alert_integrations');
    const { request } = context;
    const type = INTEGRATION_TYPES.find((each) => each === field(request, 'type'));
    if (type === undefined) throw new NotFound('Type');
    const sample = field(request, 'sample_payload').trim();
    await change(
      context,
      place,
      async () => {
        if (sample !== '') parsePayload(sample);
        const integration = await alertIntegrations.create(place.project.id, {
          type,
          name: field(request, 'name'),
          active: true,
          apiUrl: field(request, 'api_url') === '' ? null : field(request, 'api_url'),
          samplePayload: sample === '' ? null : sample,
        });
        if (sample === '' || field(request, 'test') !== 'true' || type === 'link') return;
        await takePayload({ integration, projectPath: place.project.fullPath, text: sample });
      },
      { payloadField: 'sample_payload' },
    );
  });

  const changes: Readonly<Record<string, (projectId: number, id: number) => Promise<void>>> = {
    enable: (projectId, id) => alertIntegrations.edit(projectId, id, { active: true }),
    disable: (projectId, id) => alertIntegrations.edit(projectId, id, { active: false }),
    reset: (projectId, id) => alertIntegrations.resetKey(projectId, id),
    remove: (projectId, id) => alertIntegrations.remove(projectId, id),
  };
  for (const [name, apply] of Object.entries(changes)) {
    pages.post(`${PATH}/integrations/:id/${name}`, 'signed_in', async (context) => {
      const place = await findProject(context, 'manage_alert_integrations');
      const id = Number(context.request.params['id']) || 0;
      await change(context, place, () => apply(place.project.id, id));
    });
  }

  pages.post(`${PATH}/test`, 'signed_in', async (context) => {
    const place = await findProject(context, 'send_test_alerts');
    const { items } = await integrationReader.list(place.project.id, ALL);
    const active = items.find(({ integration }) => integration.active && integration.type !== 'link');
    await change(
      context,
      place,
      async () => {
        if (active === undefined) throw new Forbidden('No integration is active that could take it.');
        const text = field(context.request, 'payload');
        await takePayload({ integration: active.integration, projectPath: place.project.fullPath, text });
      },
      { done: 'tested', payloadField: 'payload' },
    );
  });

  pages.post(`${PATH}/incidents`, 'signed_in', async (context) => {
    const place = await findProject(context, 'manage_alert_integrations');
    const on = (name: string) => field(context.request, name) === 'true';
    const settings = {
      createIncident: on('create_incident'),
      autoCloseIncident: on('auto_close_incident'),
      sendEmail: on('send_email'),
    };
    await change(context, place, () => alerts.saveSettings(place.project.id, settings));
  });
};

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['saved', 'Saved.'],
  ['tested', 'The test alert was taken: it is in the list of alerts.'],
]);

/** The fields of the form that adds an integration; what is wrong with anything else is said above the page. */
const FIELDS = ['name', 'type', 'api_url'];

/** What a person reads when a form is refused, beside the field where there is one; undefined for what is no affair of the form. */
const refusalOf = (
  error: unknown,
  payloadField: string,
): { problem: string } | { problems: FieldProblems } | undefined => {
  if (error instanceof Forbidden) return { problem: error.message };
  if (error instanceof HttpError) return { problems: { [payloadField]: [error.message] } };
  if (!(error instanceof Invalid)) return undefined;
  const elsewhere = Object.keys(error.problems).some((attribute) => !FIELDS.includes(attribute));
  return elsewhere ? { problem: error.message } : { problems: error.problems };
};
