// For the tests, whose compiler would read the whole compiled service for the types of its routes.
export declare const clientRoutes: readonly {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
}[];
