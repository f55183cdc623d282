import type { AlertIntegrations } from '../../../../application/alerts/alert-integrations.js';
import type {
  AlertReader,
  IntegrationReader,
  IntegrationWithKey,
} from '../../../../application/alerts/ports/alert-readers.js';
import type { ErrorTrackingReader } from '../../../../application/error-tracking/ports/error-tracking-repository.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { INTEGRATION_TYPES, intakePath } from '../../../../domain/alerts/integration.js';
import { ACCESS_LEVEL } from '../../../../domain/shared/access-level.js';
import type { ProjectPermission } from '../../../../domain/workspace/workspace-policy.js';
import type { WebUrls } from '../web-urls.js';
import { errorTrackingForm } from './error-tracking-form.js';
import { field, type PageContext } from './page.js';
import { projectPath } from './project-path.js';
import { tell } from './frame/notice.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { actorFor } from './page-request.js';

export interface OperationsSettingsPageParts {
  readonly access: WorkspaceAccess;
  readonly alertReader: AlertReader;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly errorTrackingReader: ErrorTrackingReader;
  readonly urls: WebUrls;
}

/** Where the page is; its forms are sent below it. */
export const OPERATIONS_SETTINGS = '/*path/-/settings/operations';
/** As many integrations as a page shows. */
export const ALL_INTEGRATIONS = { page: 1, perPage: 100 };

export const TYPE_WORDS: Readonly<Record<string, string>> = {
  generic: 'Generic',
  http_endpoint: 'HTTP Endpoint',
  prometheus: 'External Prometheus',
  link: 'Link to an incident-management product',
};

export const addressOfOperations = ({ project }: Pick<PermittedProject<ProjectPermission>, 'project'>): string =>
  `/${project.fullPath}/-/settings/operations`;

type Place = PermittedProject<ProjectPermission>;

/** What is added to the page that shows a refused form again; undefined for what is no affair of the form. */
export type Explain = (error: unknown) => object | undefined;

/** What a form asks for. */
interface Change {
  readonly work: () => Promise<unknown>;
  readonly explain: Explain;
  /** What is said when it is made. */
  readonly done: string;
}

/** The page that the sections of Settings > Operations share. */
export class OperationsSettingsPage {
  constructor(private readonly parts: OperationsSettingsPageParts) {}

  findProject<P extends ProjectPermission>({ browser, request }: PageContext, needs: P): Promise<PermittedProject<P>> {
    return this.parts.access.project(actorFor(browser), projectPath(request), needs);
  }

  async show(context: PageContext, place: Place, extra: object = {}): Promise<void> {
    const { project, level } = place;
    const { alertReader, integrationReader, errorTrackingReader } = this.parts;
    const maintains = level >= ACCESS_LEVEL.maintainer;
    const { items } = await integrationReader.list(project.id, ALL_INTEGRATIONS);
    const body = (name: string) => field(context.request, name);
    await sendProjectPage(context, place, 'operations-settings', {
      tab: 'operations',
      title: `Operations of ${project.name}`,
      maintains,
      address: addressOfOperations(place),
      integrations: maintains ? items.map((each) => this.#present(each, project.fullPath)) : [],
      settings: maintains ? await alertReader.settings(project.id) : undefined,
      errorTracking: maintains ? errorTrackingForm(await errorTrackingReader.find(project.id)) : undefined,
      types: INTEGRATION_TYPES.map((type) => [type, TYPE_WORDS[type]]),
      form: { name: body('name'), type: body('type'), apiUrl: body('api_url'), sample: body('sample_payload') },
      payload: body('payload'),
      ...extra,
    });
  }

  /** Makes a change, and goes back to the page or says at the form what is wrong. */
  async change(context: PageContext, place: Place, { work, explain, done }: Change): Promise<void> {
    try {
      await work();
      tell(context.response, context.browser, done);
      context.response.redirect(303, addressOfOperations(place));
    } catch (error) {
      const explained = explain(error);
      if (explained === undefined) throw error;
      context.response.status(400);
      await this.show(context, place, explained);
    }
  }

  #present({ integration, sealedKey }: IntegrationWithKey, projectFullPath: string) {
    const path = integration.active ? intakePath(integration) : undefined;
    return {
      ...integration,
      typeWords: TYPE_WORDS[integration.type],
      url: path === undefined ? undefined : this.parts.urls.alertIntake(projectFullPath, path),
      key: path === undefined ? undefined : this.parts.alertIntegrations.reveal(sealedKey),
    };
  }
}
