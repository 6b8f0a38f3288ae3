import { settled, type Browsing, type Window, type WindowOptions } from './open-browser.ts';

/** What the pages of an instance show. */
export interface Shown {
  readonly instance: string;
  readonly memory: string;
  readonly entity: string;
  readonly webhook: string;
  /** The version of a configuration. */
  readonly configuration: number;
}

/** The path of every page for somebody who is signed in. */
const paths = {
  overview: ({ instance }) => `/i/${instance}`,
  memories: ({ instance }) => `/i/${instance}/memories`,
  memory: ({ instance, memory }) => `/i/${instance}/memories/${memory}`,
  users: ({ instance }) => `/i/${instance}/users`,
  user: ({ instance }) => `/i/${instance}/users/ada`,
  entities: ({ instance }) => `/i/${instance}/entities`,
  entity: ({ instance, entity }) => `/i/${instance}/entities/${entity}`,
  reviews: ({ instance }) => `/i/${instance}/reviews`,
  playground: ({ instance }) => `/i/${instance}/playground`,
  configurations: ({ instance }) => `/i/${instance}/configurations`,
  configuration: ({ instance, configuration }) => `/i/${instance}/configurations/${configuration}`,
  retention: ({ instance }) => `/i/${instance}/retention`,
  keys: ({ instance }) => `/i/${instance}/keys`,
  webhooks: ({ instance }) => `/i/${instance}/webhooks`,
  webhook: ({ instance, webhook }) => `/i/${instance}/webhooks/${webhook}`,
  clients: () => '/clients',
  team: () => '/team',
  usage: () => '/usage',
  audit: () => '/audit',
} as const satisfies Record<string, (of: Shown) => string>;
export type PageName = keyof typeof paths;
export const pageNames = Object.keys(paths) as PageName[];

/** Opens a page in a window of its own, and waits until it shows what it loads. */
export async function openPage(
  browsing: Browsing,
  name: PageName,
  of: Shown,
  options: WindowOptions = { cookie: browsing.owner },
): Promise<Window> {
  const window = await browsing.open(`/dashboard${paths[name](of)}`, options);
  await settled(window.page);
  return window;
}
