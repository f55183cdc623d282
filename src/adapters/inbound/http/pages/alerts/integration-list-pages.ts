import type { AlertIntegrations } from '../../../../../application/alerts/alert-integrations.js';
import type { IntegrationReader } from '../../../../../application/alerts/ports/alert-readers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { INTEGRATION_TYPES, type Integration, type IntegrationType } from '../../../../../domain/alerts/integration.js';
import { Invalid, NotFound, NotPossible } from '../../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { checkPayload } from '../../alert-intake/refusals.js';
import type { TakeByHand } from '../../alert-intake/take-by-hand.js';
import { field } from '../form-fields.js';
import { addFormPage, typed, type Refusal } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { queryText } from '../page-request.js';
import type { Pages } from '../page.js';
import {
  addressOfOperations,
  ALL_INTEGRATIONS,
  inProjectOfPage,
  OPERATIONS_SETTINGS,
  TYPE_WORDS,
} from './operations-address.js';
import { takenOrSaid } from './taken-or-said.js';
import { sendTestAlertPage } from './test-alert-page.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takeByHand: TakeByHand;
}

type Manager = PermittedProject<'manage_alert_integrations'>;

/** What each type is for: how somebody chooses. */
const TYPES: readonly { readonly type: IntegrationType; readonly is: string; readonly alone: boolean }[] = [
  { type: 'prometheus', is: 'Alertmanager sends what Prometheus finds.', alone: true },
  { type: 'generic', is: 'One address for whatever can send JSON: scripts, probes, other monitoring.', alone: true },
  {
    type: 'http_endpoint',
    is: 'The same, with an address and a key of its own for each sender.',
    alone: false,
  },
  { type: 'link', is: 'Alerts are looked after in another product: nothing is taken here.', alone: true },
];

/** The ways by which a project takes alerts, and a new one. */
export const addIntegrationListPages = (pages: Pages, parts: Parts): void => {
  pages.get(OPERATIONS_SETTINGS, 'signed_in', async (context) => {
    const tester = await inProjectOfPage(parts, 'send_test_alerts')(context);
    // Developers see nothing of the integrations.
    if (!isOffered(tester.project, tester.level, 'manage_alert_integrations'))
      return sendTestAlertPage(context, tester);
    const place = await inProjectOfPage(parts, 'manage_alert_integrations')(context);
    await sendProjectPage(context, place, 'alerts/integrations', {
      tab: 'integrations',
      title: `Integrations of ${place.project.name}`,
      address: addressOfOperations(place),
      integrations: (await integrationsOf(parts, place)).map(({ type, ...each }) => ({
        ...each,
        typeWords: TYPE_WORDS[type],
      })),
    });
  });
  addFormPage<Manager>(pages, {
    path: `${OPERATIONS_SETTINGS}/integrations`,
    find: inProjectOfPage(parts, 'manage_alert_integrations'),
    show: (context, place, refusal) => showNew(parts, context, place, refusal),
    act: async ({ request }, place) => {
      const integration = await add(parts, place, (name) => field(request, name));
      return {
        notice: `Integration “${integration.name}” added.`,
        to: `${addressOfOperations(place)}/integrations/${integration.id}`,
      };
    },
  });
};

const integrationsOf = async ({ integrationReader }: Parts, { project }: Manager): Promise<readonly Integration[]> =>
  (await integrationReader.list(project.id, ALL_INTEGRATIONS)).items.map(({ integration }) => integration);

const typeNamed = (name: string): IntegrationType | undefined => INTEGRATION_TYPES.find((each) => each === name);

/** The types to choose from, or the fields of the one that was chosen. */
const showNew = async (parts: Parts, context: PageContext, place: Manager, refusal: Refusal): Promise<void> => {
  const type = typeNamed(field(context.request, 'type') || queryText(context, 'type'));
  const there = await integrationsOf(parts, place);
  await sendProjectPage(context, place, 'alerts/new-integration', {
    tab: 'integrations',
    title: 'New integration',
    address: addressOfOperations(place),
    chosen: type,
    typeWords: type === undefined ? undefined : TYPE_WORDS[type],
    types: TYPES.map((each) => ({
      ...each,
      words: TYPE_WORDS[each.type],
      there: each.alone ? there.find((integration) => integration.type === each.type) : undefined,
    })),
    form: typed(context, { name: '', api_url: '', sample_payload: '' }),
    ...refusal,
  });
};

/** @throws Invalid, NotPossible; NotFound for a type that there is not. */
const add = async (
  { alertIntegrations, takeByHand }: Parts,
  place: Manager,
  sent: (name: string) => string,
): Promise<Integration> => {
  const type = typeNamed(sent('type'));
  if (type === undefined) throw new NotFound('Type');
  const sample = type === 'link' ? '' : sent('sample_payload').trim();
  return takenOrSaid('sample_payload', async () => {
    if (sample !== '') checkPayload(sample);
    const integration = await created(() =>
      alertIntegrations.create(place, {
        type,
        name: sent('name'),
        active: true,
        apiUrl: sent('api_url') === '' ? null : sent('api_url'),
        samplePayload: sample === '' ? null : sample,
      }),
    );
    if (sample !== '' && sent('test') === 'true')
      await takeByHand({ integration, projectPath: place.project.fullPath, text: sample });
    return integration;
  });
};

/** The fields of the form; what is wrong with anything else is said above it. */
const FIELDS = ['name', 'api_url', 'sample_payload'];

const created = async <Created>(create: () => Promise<Created>): Promise<Created> => {
  try {
    return await create();
  } catch (error) {
    const elsewhere = error instanceof Invalid && Object.keys(error.problems).some((name) => !FIELDS.includes(name));
    throw elsewhere ? new NotPossible(error.message) : error;
  }
};
