/** Whose memories an adapter reads and writes. What names neither belongs to the whole client, and all its users see it. */
export interface Owner {
  readonly user_id?: string;
  readonly customer_id?: string;
}

/** The owner within wider options, with nothing undefined in it. */
export const ownerOf = ({ user_id, customer_id }: Owner): Owner => ({
  ...(user_id === undefined ? {} : { user_id }),
  ...(customer_id === undefined ? {} : { customer_id }),
});
