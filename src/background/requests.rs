//! All background jobs: their requests, their replies, and the threads on which they run.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::job::{Cancelled, Job, JobError, Outbox, Slot, Surroundings, Ticket, run_inline, send};
use super::timeout::ThreadGroup;
use super::{
    AtlasFileRequest, AtlasTrials, ComparisonRequest, CopyRequest, CounterfactualRequest, ExpectationRequest,
    ExportPreviewRequest, ExportRequest, ExportTarget, FolderRequest, GrowthBatch, GrowthRequest, ImportRequest, Inbox,
    Message, MetricsRequest, OpenRequest, PictureRequest, ReimportRequest, ReloadRequest, SaveRequest, ScatterRequest,
    SeedBatch, SeedSearchRequest, StoryRequest, TraceRequest, TrialRequest, VaultRunRequest, WallFrequencyRequest,
};
use crate::document::VaultRequest;
use crate::recording::RegrowRequest;

/// Declares the jobs. Each line has three names: the field of [`Jobs`] in which the job runs, the variant that the job
/// has in both [`JobRequest`] and [`JobReply`], and the type of its request.
macro_rules! jobs {
    ($($(#[$doc:meta])* $slot:ident: $name:ident($job:ty);)*) => {
        /// A request to start a job.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum JobRequest { $($(#[$doc])* $name(Box<$job>),)* }

        /// A reply from a job, or the reason why the job failed.
        #[derive(Debug)]
        pub enum JobReply { $($(#[$doc])* $name(Result<<$job as Job>::Reply, JobError>),)* }

        $(impl From<$job> for JobRequest {
            fn from(job: $job) -> Self {
                Self::$name(Box::new(job))
            }
        })*

        impl JobRequest {
            /// Returns the name of the job's thread.
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => <$job>::NAME,)* }
            }
        }

        /// The threads of all jobs, which are started when they are needed. Dropping this cancels all running jobs, and
        /// waits up to 2 seconds for the threads that are not detached.
        pub struct Jobs {
            around: Surroundings<JobReply>,
            $($slot: Slot<$job>,)*
            /// Must be the last field, because fields are dropped in order: the others cancel all jobs first.
            threads: ThreadGroup,
        }

        impl Jobs {
            fn around(around: Surroundings<JobReply>) -> Self {
                Self { around, $($slot: Slot::default(),)* threads: ThreadGroup::default() }
            }

            /// Cancels a running job of the same type and starts a new job, whose replies carry `ticket`.
            pub fn start(&mut self, ticket: Ticket, request: JobRequest) {
                match request {
                    $(JobRequest::$name(job) => {
                        self.$slot.start(&ticket, *job, &self.around, &self.threads, JobReply::$name);
                    })*
                }
            }
        }

        /// Runs jobs on the calling thread, for tests, benchmarks and screenshots of the designer.
        #[derive(Default)]
        pub struct InlineJobs { $($slot: <$job as Job>::Memory,)* }

        impl InlineJobs {
            /// Runs a job to its end and returns its replies.
            pub fn run(&mut self, ticket: &Ticket, request: JobRequest) -> Vec<JobReply> {
                match request {
                    $(JobRequest::$name(job) => {
                        let replies = run_inline(*job, &mut self.$slot, ticket).into_iter();
                        replies.map(|reply| JobReply::$name(Ok(reply))).collect()
                    })*
                }
            }
        }
    };
}

jobs! {
    /// The growth that the designer shows.
    growth: Growth(GrowthRequest);
    /// Segments (stretches of turns) that the recording discarded to save memory and that are grown again.
    regrowth: Regrowth(RegrowRequest);
    /// The vaults of the open design.
    vault_resolution: VaultResolution(VaultRequest);
    /// Runs of the Lua code in level files.
    vault_runs: VaultRuns(VaultRunRequest);
    /// The decisions of the Builder that laid the tile on the selected square, turn by turn.
    story: Story(StoryRequest);
    /// Causes and effects, found by growing the dungeon again with one change.
    counterfactual: Counterfactual(CounterfactualRequest);
    /// The metrics of the dungeon that the designer shows.
    metrics: Metrics(MetricsRequest);
    /// Squares where a game can place objects.
    scatter: Scatter(ScatterRequest);
    /// A check of the design's expectations, such as `path >= 180 in 95%`, over many seeds.
    expectations: Expectations(ExpectationRequest);
    /// A search for a seed whose dungeon contains all vaults, without overlaps and with reachable exits.
    search: Search(SeedSearchRequest);
    /// Metrics of variants of the design, each over the same seeds.
    trials: Trials(TrialRequest);
    /// The metrics of the dungeons in the seed gallery.
    gallery_metrics: GalleryMetrics(SeedBatch);
    /// Pictures of the dungeons in the seed gallery as they grow.
    gallery_pictures: GalleryPictures(GrowthBatch);
    /// Metrics of candidates for an atlas (a grid of designs, with a metric on each axis).
    atlas: Atlas(AtlasTrials);
    /// An atlas file that is read or written.
    atlas_file: AtlasFile(AtlasFileRequest);
    /// The wall frequency of each square over many seeds.
    wall_frequency: WallFrequency(WallFrequencyRequest);
    /// The growth of two dungeons, one from each of two compared designs.
    traces: Traces(TraceRequest);
    /// The differences between the metrics of two designs over many seeds.
    comparison: Comparison(ComparisonRequest);
    /// The contents of a folder.
    folder: Folder(FolderRequest);
    /// A picture of the design that is selected in the dialog for opening designs.
    picture: Picture(PictureRequest);
    /// The files of a design that the user opens.
    opening: Opening(OpenRequest);
    /// The open files, read again.
    reload: Reload(ReloadRequest);
    /// A save of the open design.
    save: Save(SaveRequest);
    /// A copy of the open design that the user saves under another name or in another format.
    copy: Copy(CopyRequest);
    /// The check of an export's destination.
    export_target: ExportTarget(ExportTarget);
    /// An export.
    export: Export(ExportRequest);
    /// A preview of an export.
    export_preview: ExportPreview(ExportPreviewRequest);
    /// A preview of an import.
    import: Import(ImportRequest);
    /// The drawings of the open design, imported again.
    reimport: Reimport(ReimportRequest);
}

impl<I: Send> Outbox<JobReply> for SyncSender<Message<I>> {
    fn send(&self, ticket: &Ticket, reply: JobReply) -> Result<(), Cancelled> {
        send(self, ticket, Message::Reply(ticket.clone(), reply))
    }

    fn try_send(&self, ticket: &Ticket, reply: JobReply) {
        let _ = Self::try_send(self, Message::Reply(ticket.clone(), reply));
    }
}

impl Jobs {
    /// Creates the slots of all jobs, without starting a thread. Replies arrive in `inbox` as [`Message::Reply`].
    /// `state_folder` is the folder of the program's state.
    pub fn new<I: Send + 'static>(inbox: &Inbox<I>, state_folder: Option<PathBuf>) -> Self {
        Self::around(Surroundings {
            outbox: Arc::new(inbox.sender()),
            state_folder: state_folder.map(Arc::from),
        })
    }
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for InlineJobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InlineJobs").finish_non_exhaustive()
    }
}
