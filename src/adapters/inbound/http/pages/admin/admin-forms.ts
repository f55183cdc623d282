import type { OrdinaryForm, SensitiveForm } from '../profile-forms.js';

/** Every form of administrators. */
export const ADMIN_FORMS = {} as const satisfies Readonly<Record<string, SensitiveForm | OrdinaryForm>>;
