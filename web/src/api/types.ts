/** What the server takes and answers, by the names that the page has for it. What they hold is the server's word: see schema.ts. */
import type * as S from "./schema";

// what the workspace holds
export type ServerState = S.State;
export type Entry = S.FileEntry;
export type Clip = S.ClipEntry;
export type ClipDetail = S.ClipDetail;
export type ClipInfo = S.ClipInfo;
export type LabelSpan = S.LabelSpan;
export type GraphFile = S.GraphFile;
export type GraphClip = S.GraphClip;
export type GraphSummary = S.GraphSummary;
export type CurvePoint = S.CurveFacts;
export type SpaceFile = S.SpaceFile;
export type SpaceDetail = S.SpaceDetail;
export type KeptResult = S.KeptResult;
export type Job = S.Job;
export type WriteFormat = S.Writable;
export type Ground = S.GroundModel;
export type StrikeKind = S.StrikeKindModel;

// what is asked
export type FollowRequest = S.FollowAsked;
export type WalkRequest = S.WalkAsked;
export type DirectRequest = S.DirectAsked;
export type SceneJSON = S.SceneModel;
export type SceneText = S.SceneFile;
export type RepathRequest = S.RepathAsked;
export type StrikeRequest = S.ReachAsked;
export type JoinRequest = S.JoinAsked;
export type GraphRequest = S.GraphAsked;
export type AddRequest = S.Added;
export type ThresholdRequest = S.Chosen;
export type SpaceRequest = S.BuildAsked;
export type TransitionRequest = S.TransitionAsked;
export type ExportRequest = S.ExportAsked;
export type ExportOptions = S.Options;
export type Blend = NonNullable<S.FollowAsked["blend"]>;
export type ClipChange = S.ClipChange;
export type ClipLabels = S.ClipLabels;
export type TimedLabel = S.LabelAsked;
export type LabelsChange = S.LabelsChange;
export type LabelsPut = S.LabelsPut;
export type LabelsChanged = S.LabelsChanged;
export type TrimRequest = S.Trim;
export type NameRequest = S.NameAsked;

// what is answered
export type Taken = S.Taken;
export type Trashed = S.Trashed;
export type Drawn = S.Drawn;
export type OwnPath = S.OwnPath;
export type Alignment = S.Alignment;
export type Recipe = S.Recipe;
export type Written = S.Exported;
export type ServerProblem = S.Problem;
export type ServerEvent = S.JobEvent | S.ClipEvent | S.ChangedEvent;

// facts of packs
export type MotionFacts = S.MotionFacts;
export type ResultPack = S.ResultPack;
export type TransitionFacts = S.TransitionFacts;
export type ResultFacts = S.ResultFacts;
export type Plant = S.PlantFacts;
export type StrikeFacts = S.StrikeFacts;
export type TransitionPack = S.TransitionPack;
export type BodyPack = S.BodyPack;
export type MovedPack = S.MovedPack;
export type FitPack = S.FitPack;
export type CharacterDetail = S.CharacterDetail;
export type EdgesPack = S.EdgesPack;
export type MatrixPack = S.MatrixPack;
export type TrustPack = S.TrustPack;
export type GroundPack = S.GroundPack;

/** A graph; of its summary the server's description says only that there is one. */
export type GraphDetail = Omit<S.GraphDetail, "summary"> & { readonly summary: GraphSummary };

export type Turns = S.Turns;

type Only<Name extends keyof S.PathModel> = { readonly [Part in Name]: NonNullable<S.PathModel[Part]> };
/** Paths as they are sent: a shape, points on the floor, or the controls of a spline. The description lists all of them, of which one is there. */
export type PathJSON = Only<"shape"> | Only<"points"> | Only<"degree" | "controls">;

// over a live socket
export type LiveWish = S.WishSaid;
export type LivePack = S.LivePack;
export type LiveTold = S.LiveTold;

// over a crowd's socket
export type CrowdRun = S.RunSaid;
export type CrowdScenario = S.ScenarioModel;
export type CrowdScene = S.SceneFacts;
export type CrowdDrawing = S.DrawingFacts;
export type CrowdPack = S.CrowdPack;
export type CrowdTold = S.CrowdTold;
export type CrowdReport = S.CrowdReport;
export type CrowdExport = S.CrowdExportAsked;
export type CrowdKeep = S.KeepAsked;
export type PeoplePack = S.PeoplePack;
