import type { ErrorTracking } from '../../../../application/error-tracking/error-tracking.js';
import type { ErrorTrackingReader } from '../../../../application/error-tracking/ports/error-tracking-repository.js';
import { Invalid } from '../../../../domain/shared/domain-error.js';
import { errorTrackingForm, errorTrackingFormProblems, readErrorTrackingForm } from './error-tracking-form.js';
import { OPERATIONS_SETTINGS, type OperationsSettingsPage } from './operations-settings-page.js';
import type { Pages } from './page.js';

export interface ErrorTrackingSettingsParts {
  readonly errorTracking: ErrorTracking;
  readonly errorTrackingReader: ErrorTrackingReader;
}

/** Settings > Operations, the section of error tracking, which maintainers alone see. */
export const addErrorTrackingSettings = (
  pages: Pages,
  page: OperationsSettingsPage,
  { errorTracking, errorTrackingReader }: ErrorTrackingSettingsParts,
): void => {
  pages.post(`${OPERATIONS_SETTINGS}/error_tracking`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'manage_error_tracking');
    const sent = readErrorTrackingForm(context.request);
    const stored = errorTrackingForm(await errorTrackingReader.find(place.project.id));
    const explain = (error: unknown): object | undefined =>
      error instanceof Invalid
        ? {
            errorTracking: { ...stored, active: sent.active, apiUrl: sent.apiUrl, projectName: sent.projectName },
            problems: errorTrackingFormProblems(error.problems),
          }
        : undefined;
    await page.change(context, place, {
      work: () => errorTracking.configure(place, sent),
      explain,
      done: 'Settings of error tracking saved.',
    });
  });
};
