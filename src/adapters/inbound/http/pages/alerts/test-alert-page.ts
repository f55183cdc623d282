import type { IntegrationReader } from '../../../../../application/alerts/ports/alert-readers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { TakeByHand } from '../../alert-intake/take-by-hand.js';
import { addFormPage, typed, type Refusal } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { addressOfOperations, ALL_INTEGRATIONS, inProjectOfPage, OPERATIONS_SETTINGS } from './operations-address.js';
import { takenOrSaid } from './taken-or-said.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly integrationReader: IntegrationReader;
  readonly takeByHand: TakeByHand;
}

type Tester = PermittedProject<'send_test_alerts'>;

export const sendTestAlertPage = (context: PageContext, place: Tester, refusal: Refusal = {}): Promise<void> =>
  sendProjectPage(context, place, 'alerts/test-alert', {
    tab: 'test-alert',
    title: 'Test alert',
    address: addressOfOperations(place),
    form: typed(context, { payload: '' }),
    ...refusal,
  });

/** A payload that a developer sends by hand, to the first integration that takes it. */
export const addTestAlertPage = (pages: Pages, parts: Parts): void => {
  addFormPage<Tester>(pages, {
    path: `${OPERATIONS_SETTINGS}/test`,
    find: inProjectOfPage(parts, 'send_test_alerts'),
    show: sendTestAlertPage,
    act: async ({ request }, place) => {
      const { id, fullPath: projectPath } = place.project;
      const { items } = await parts.integrationReader.list(id, ALL_INTEGRATIONS);
      const active = items.find(({ integration }) => integration.active && integration.type !== 'link');
      if (active === undefined) throw new NotPossible('No integration is active that could take it.');
      const { integration } = active;
      const text = field(request, 'payload');
      await takenOrSaid('payload', () => parts.takeByHand({ integration, projectPath, text }));
      return {
        notice: 'The test alert was taken: it is in the list of alerts.',
        to: `${addressOfOperations(place)}/test`,
      };
    },
  });
};
