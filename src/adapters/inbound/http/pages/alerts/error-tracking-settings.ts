import type { ErrorTracking } from '../../../../../application/error-tracking/error-tracking.js';
import type { ErrorTrackingReader } from '../../../../../application/error-tracking/ports/error-tracking-repository.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { errorTrackingForm, errorTrackingFormProblems, readErrorTrackingForm } from './error-tracking-form.js';
import { addFormPage } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { addressOfOperations, inProjectOfPage, OPERATIONS_SETTINGS } from './operations-address.js';

export interface ErrorTrackingSettingsParts {
  readonly access: WorkspaceAccess;
  readonly errorTracking: ErrorTracking;
  readonly errorTrackingReader: ErrorTrackingReader;
}

/** Where a project's errors are tracked: maintainers alone see and change it. */
export const addErrorTrackingSettings = (pages: Pages, parts: ErrorTrackingSettingsParts): void => {
  addFormPage<PermittedProject<'manage_error_tracking'>>(pages, {
    path: `${OPERATIONS_SETTINGS}/error_tracking`,
    find: inProjectOfPage(parts, 'manage_error_tracking'),
    show: async (context, place, { problems, ...said }) => {
      const stored = errorTrackingForm(await parts.errorTrackingReader.find(place.project.id));
      const { active, apiUrl, projectName } = readErrorTrackingForm(context.request);
      await sendProjectPage(context, place, 'error-tracking', {
        tab: 'error-tracking',
        title: `Error tracking of ${place.project.name}`,
        address: addressOfOperations(place),
        errorTracking: context.request.method === 'POST' ? { ...stored, active, apiUrl, projectName } : stored,
        ...said,
        ...(problems && { problems: errorTrackingFormProblems(problems) }),
      });
    },
    act: async ({ request }, place) => {
      await parts.errorTracking.configure(place, readErrorTrackingForm(request));
      return { notice: 'Settings of error tracking saved.', to: `${addressOfOperations(place)}/error_tracking` };
    },
  });
};
