/** The release of the API that clients and jobs find here; they decide by it what they may ask for. */
const API_RELEASE = '13.12.0';

/** How the service calls itself to clients. @param version of the package. */
export const apiVersion = (version: string): string => `${API_RELEASE}-gatehouse.${version}`;
