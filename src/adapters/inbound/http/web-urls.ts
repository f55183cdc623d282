/** The public addresses of what the API shows; every one of them opens a page. */
export class WebUrls {
  constructor(private readonly baseUrl: () => string) {}

  /** @param path below `/api/v4`. */
  api(path: string): string {
    return `${this.baseUrl()}/api/v4${path}`;
  }

  user(username: string): string {
    return `${this.baseUrl()}/${username}`;
  }

  group(fullPath: string): string {
    return `${this.baseUrl()}/groups/${fullPath}`;
  }

  project(fullPath: string): string {
    return `${this.baseUrl()}/${fullPath}`;
  }
}
