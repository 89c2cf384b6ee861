import { useEffect } from "preact/hooks";
import type { components } from "../../../client/index.ts";
import { t } from "../../i18n/t.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Fact } from "../../parts/facts.tsx";
import { deviceListeners, readDeviceListeners } from "../../state/devices.ts";
import { addressesOf } from "./addresses.ts";
import { type MqttAddress, publishCommand, samplePayload } from "./commands.ts";
import { type Decoder, isMqtt } from "./decoders.ts";

interface CredentialsProps {
  readonly access: components["schemas"]["MqttCredentials"];
  readonly decoder: Decoder;
  /** Where the machine is, for the message of the example. */
  readonly place: { readonly latitude: number; readonly longitude: number };
}

/** What goes into a device, shown once, and a command that does what the device will do. */
export function Credentials({ access, decoder, place }: CredentialsProps) {
  const { username, password, topic } = access;

  useEffect(() => {
    if (deviceListeners.peek() === undefined) void readDeviceListeners();
  }, []);

  if (password === undefined) {
    return (
      <section class="card" aria-labelledby="credentials">
        <h2 id="credentials">{t("creds.title")}</h2>
        <p>{t("creds.lost")}</p>
      </section>
    );
  }
  return (
    <section class="card" aria-labelledby="credentials">
      <h2 id="credentials">{t("creds.title")}</h2>
      <p class="notice">{t("creds.once")}</p>
      <dl class="facts">
        <Fact name={t("creds.user")}>
          <CopyText name={t("creds.user")} text={username} />
        </Fact>
        <Fact name={t("creds.password")}>
          <CopyText name={t("creds.password")} text={password} />
        </Fact>
        {isMqtt(decoder) ? (
          <Fact name={t("creds.topic")}>
            <CopyText name={t("creds.topic")} text={topic} />
          </Fact>
        ) : null}
      </dl>
      {isMqtt(decoder) ? (
        <Connection
          command={(address) =>
            publishCommand({
              address,
              username,
              password,
              topic,
              payload: decoder === "plumbline" ? samplePayload(place) : undefined,
            })
          }
          note={decoder === "plumbline" ? undefined : t("creds.try_format", { format: decoder })}
        />
      ) : (
        <p>{t("creds.other_protocol", { format: decoder })}</p>
      )}
    </section>
  );
}

interface ConnectionProps {
  readonly command: (address: MqttAddress) => string;
  readonly note: string | undefined;
}

/** Addresses of the broker, and the command for each. */
function Connection({ command, note }: ConnectionProps) {
  const listeners = deviceListeners.value;
  if (listeners === undefined) return null;
  const host = location.hostname.replaceAll(/[[\]]/g, "");
  const { plain, tls, isGuess } = addressesOf(listeners, host);
  const known = isGuess ? undefined : (plain ?? tls);
  return (
    <>
      {isGuess ? (
        <p class="muted">{t("creds.elsewhere", { host })}</p>
      ) : (
        <dl class="facts">
          {plain === undefined ? null : (
            <Fact name={t("creds.address")}>
              <CopyText name={t("creds.address")} text={`${plain.host}:${plain.port}`} />
            </Fact>
          )}
          <Fact name={t("creds.tls_address")}>
            {tls === undefined ? (
              <span class="muted">{t("creds.no_tls")}</span>
            ) : (
              <CopyText name={t("creds.tls_address")} text={`${tls.host}:${tls.port}`} />
            )}
            {tls?.asksForCertificate === true ? (
              <span class="muted small block">{t("creds.certificate")}</span>
            ) : null}
          </Fact>
        </dl>
      )}
      {known?.host === host ? <p class="muted small">{t("creds.host_note", { host })}</p> : null}
      <h3>{t("creds.try")}</h3>
      {note === undefined ? null : <p class="small">{note}</p>}
      {plain === undefined ? null : (
        <>
          <p class="small">{t("creds.try_hint")}</p>
          <CopyText name={t("creds.try")} text={command(plain)} isBlock />
        </>
      )}
      {tls === undefined ? null : (
        <>
          <p class="small">{t("creds.try_tls")}</p>
          <CopyText name={t("creds.tls_address")} text={command(tls)} isBlock />
        </>
      )}
    </>
  );
}
