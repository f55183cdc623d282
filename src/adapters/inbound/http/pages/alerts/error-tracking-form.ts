import type { Request } from 'express';
import type {
  ErrorTrackingChange,
  ErrorTrackingSettings,
} from '../../../../../domain/error-tracking/error-tracking-settings.js';
import { projectNameOf } from '../../../../../domain/error-tracking/tracker-project.js';
import type { AttributeProblems } from '../../../../../domain/shared/domain-error.js';
import { field } from '../page.js';

/** The fields of the form, by their names in the API. */
const FIELDS: Readonly<Record<string, string>> = {
  api_url: 'tracker_api_url',
  project_name: 'tracker_project_name',
  token: 'tracker_token',
};

/** What the form shows; of the token no more than whether there is one. */
interface ErrorTrackingForm {
  readonly active: boolean;
  readonly apiUrl: string;
  readonly projectName: string;
  /** The name that an empty field stands for. */
  readonly defaultName: string;
  readonly tokenStored: boolean;
}

export const errorTrackingForm = (settings: ErrorTrackingSettings | undefined): ErrorTrackingForm => ({
  active: settings?.active ?? true,
  apiUrl: settings?.apiUrl ?? '',
  projectName: settings?.projectName ?? '',
  defaultName: settings === undefined ? '' : projectNameOf({ ...settings, projectName: null }),
  tokenStored: settings?.tokenStored ?? false,
});

/** What somebody sent; an empty token leaves the one that is kept. */
export const readErrorTrackingForm = (request: Request): ErrorTrackingChange => {
  const token = field(request, 'tracker_token');
  return {
    active: field(request, 'active') === 'true',
    apiUrl: field(request, 'tracker_api_url'),
    projectName: field(request, 'tracker_project_name'),
    ...(token.trim() === '' ? {} : { token }),
  };
};

/** Problems by the fields that they stand beside; what has no field of its own (the external URL follows the API URL) stands there. */
export const errorTrackingFormProblems = (problems: AttributeProblems): AttributeProblems =>
  Object.fromEntries(Object.entries(problems).map(([name, messages]) => [FIELDS[name] ?? 'tracker_api_url', messages]));
