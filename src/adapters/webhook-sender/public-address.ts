import ipaddr from 'ipaddr.js';

/** Addresses of IPv4 within IPv6 as they were first written, which the library takes for public. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/**
 * Whether an IP address is one of the public network: neither private, loopback, link-local, nor in any other range that
 * is set aside, among them those that carry an address of IPv4 within.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || !parsed.match(ipv4Compatible);
}
