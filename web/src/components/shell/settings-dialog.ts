import { html, nothing, type TemplateResult } from "lit";

import type { Me } from "../../api/types";
import { StateElement } from "../../lib/element";
import { isChecked } from "../../lib/forms";
import { go } from "../../lib/navigation";
import { session } from "../../lib/state/session";
import { type Settings, settings } from "../../lib/state/settings";
import { tables } from "../../lib/state/tables";
import { toast } from "../../lib/state/toasts";
import { list, t } from "../../lib/text/language";
import { failure } from "../../lib/text/sentences";
import { languageChoice } from "./language-choice";

const keysText = (): string =>
  `${t("1–5 chips, A Ante, B Bonus, P Pair Plus, J Jackpot, U undo, C clear, R rebet, D double, N deal now;")} ${t(
    "to decide: G bets and goes on, K checks, F folds",
  )}`;

/** Whether the device is used with fingers alone: then keys are not offered. */
const isTouched = (): boolean => matchMedia("(hover: none) and (pointer: coarse)").matches;

/** The settings of this device, and the way to the account and to the log-out. */
export class SettingsDialog extends StateElement {
  open(): void {
    this.dialog?.showModal();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog");
  }

  private close = (): void => this.dialog?.close();

  /** The dealer was asked whether to log out while a round is in play. */
  private isAsked = false;

  /** Tables of a dealer, who does not watch them from the pit, with bets on the table or a round in play. */
  private get dealt(): string[] {
    if (session.opens("pit")) return [];
    const views = [...tables.views.values()].filter(
      ({ stage, boxes, may }) =>
        may?.length && (stage === "playing" || (stage === "betting" && boxes.some(({ stakes }) => stakes.length))),
    );
    return views.map(({ table }) => table);
  }

  private leave = async (): Promise<void> => {
    if (this.dealt.length && !this.isAsked) {
      this.isAsked = true;
      this.requestUpdate();
      return;
    }
    this.isAsked = false;
    this.close();
    try {
      await session.leave();
      go("#/");
    } catch (error) {
      toast(`${failure(error)} ${t("You are still logged in.")}`, "refusal");
    }
  };

  override render(): TemplateResult {
    const { me } = session;
    return html`<dialog id="settings" aria-labelledby="settings-title" closedby="any">
      <h2 id="settings-title">${t("Settings")}</h2>
      ${languageChoice()}
      ${this.switch("fourColour", t("Four-colour deck"), t("Diamonds blue, clubs green"))}
      ${this.switch("motion", t("Motion"), t("Cards are dealt and turned, the meter rolls"))}
      ${
        (me && !session.may("play")) || isTouched()
          ? nothing
          : this.switch("keys", t("Single-key shortcuts"), keysText())
      }
      ${
        me && !session.may("play")
          ? nothing
          : this.switch("tableSound", t("Table sound"), t("Cards, chips and wins are heard"))
      }
      ${
        session.may("see_figures")
          ? this.switch("sound", t("Sound"), t("The pit rings when something waits for a decision"))
          : nothing
      }
      ${me ? this.account(me) : nothing}
      ${
        this.isAsked && this.dealt.length
          ? html`<p class="note" role="alert">${t("Log out?")} ${t(
              "You deal at {tables}, where a round is in play. The pit sees it.",
              { tables: list(this.dealt) },
            )}</p>`
          : nothing
      }
      <div class="row">${
        me
          ? html`<button type="button" class="button ghost" @click=${this.leave}>${t("Log out {name}", {
              name: me.name,
            })}</button>`
          : nothing
      }<button type="button" class="button" @click=${this.close}>${t("Done")}</button></div>
    </dialog>`;
  }

  private account({ guest }: Me): TemplateResult {
    if (guest) return html`<p class="quiet">${t("A guest who logs out cannot come back to the same chips.")}</p>`;
    return html`<p><a href="#/account" @click=${this.close}>${t(
      "Your account: password, second factor, sessions",
    )}</a></p>`;
  }

  private switch(name: keyof Settings, text: string, details: string): TemplateResult {
    return html`<label class="switch"><input type="checkbox" .checked=${settings.current[name]}
      @change=${(event: Event) => settings.change({ [name]: isChecked(event) })}>
      <span>${text}<small>${details}</small></span></label>`;
  }
}
customElements.define("settings-dialog", SettingsDialog);

export function openSettings(): void {
  document.querySelector<SettingsDialog>("settings-dialog")?.open();
}
