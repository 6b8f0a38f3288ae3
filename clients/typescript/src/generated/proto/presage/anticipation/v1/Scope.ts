// Original file: proto/presage/anticipation/v1/anticipation.proto

export const Scope = {
  SCOPE_UNSPECIFIED: 'SCOPE_UNSPECIFIED',
  SCOPE_USER: 'SCOPE_USER',
  SCOPE_CUSTOMER: 'SCOPE_CUSTOMER',
  SCOPE_CLIENT: 'SCOPE_CLIENT',
  SCOPE_WORLD: 'SCOPE_WORLD',
} as const;

export type Scope =
  | 'SCOPE_UNSPECIFIED'
  | 0
  | 'SCOPE_USER'
  | 1
  | 'SCOPE_CUSTOMER'
  | 2
  | 'SCOPE_CLIENT'
  | 3
  | 'SCOPE_WORLD'
  | 4

export type Scope__Output = typeof Scope[keyof typeof Scope]
