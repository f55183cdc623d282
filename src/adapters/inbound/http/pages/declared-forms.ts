import { ADMIN_FORMS } from './admin/admin-forms.js';
import { PROFILE_FORMS, type OrdinaryForm, type SensitiveForm } from './profile-forms.js';

/** Every form that decides over accounts, or is near those that do. One that is missing here is refused when the service starts (`Pages`). */
export const SENSITIVE_FORMS = { ...PROFILE_FORMS, ...ADMIN_FORMS };

type Forms = typeof SENSITIVE_FORMS;

/** The paths of sensitive forms. */
export type SensitivePath = { [Path in keyof Forms]: Forms[Path] extends SensitiveForm ? Path : never }[keyof Forms];

const FORMS: Readonly<Record<string, SensitiveForm | OrdinaryForm>> = SENSITIVE_FORMS;

/** @throws Error, at the start, for a form of a profile or of administrators that is not declared ordinary. */
export const refuseUndeclared = (path: string): void => {
  if (!/^\/(?:profile|admin)/.test(path)) return;
  const form = FORMS[path];
  if (form === undefined || !('ordinary' in form))
    throw new Error(
      `The form ${path} is not declared ordinary in profile-forms.ts or admin-forms.ts: use postSensitive, or say why not.`,
    );
};
