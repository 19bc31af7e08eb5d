//! Exports the growth as an animation: as GIF, which nearly every program can play, or as APNG.
//!
//! Every frame after the first stores only the rectangle that changed, or the whole picture when the view moves. Both
//! formats use the same small palette.

use super::film::{FrameChange, GrowthAnimation};
use super::marks::{Label, MapMarks, labels};
use super::picture::{failed, title};
use super::{DungeonView, ExportError, ExportOptions, ExportTask, Picture, ProgressCallback};
use crate::geometry::Size;
use crate::recording_file::PROGRAM;
use crate::text::thousands;

/// Approximate default length of the longer side of the animation, in pixels.
const SIDE: u32 = 800;

/// Maximum number of pixels of an animation, without its caption: one frame is in memory. The largest dungeon fits at the
/// default scale.
const MOST_PIXELS: u64 = 1 << 30;

/// The changed rectangle of a frame, with its pixels.
struct Patch {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// Scale, grid lines, title and labels, which all frames share.
struct AnimationStyle<'a> {
    scale: u32,
    grid: Option<u32>,
    title: Option<&'a str>,
    labels: Vec<Label>,
}

impl<'t> AnimationStyle<'t> {
    fn new(dungeon: &DungeonView<'_>, animation: &GrowthAnimation, options: &ExportOptions, title: &'t str) -> Self {
        Self {
            scale: scale(animation.shown().size(), options),
            grid: options.grid,
            title: options.legend.then_some(title),
            labels: labels(dungeon, options.marks.unwrap_or(MapMarks::None)),
        }
    }

    fn picture<'a>(&self, animation: &'a GrowthAnimation) -> Result<Picture<'a>, ExportError> {
        let size = animation.shown().size();
        let [width, height] = [size.y, size.x].map(|side| side as u64 * u64::from(self.scale));
        if width.saturating_mul(height) > MOST_PIXELS {
            return Err(ExportError::Options(format!(
                "an animation of {width} × {height} pixels is too large: the maximum is {} pixels; use a smaller scale",
                thousands(MOST_PIXELS)
            )));
        }
        let picture = Picture::new(animation.shown(), self.scale, self.grid, self.title)?;
        Ok(picture.with_labels(&animation.labels(&self.labels)))
    }

    /// Advances the animation to a step. Returns the changed rectangle, or the whole picture if all of it may have
    /// changed. Before each row of pixels, calls `watch` with the step and the total number of steps, since a large
    /// frame takes seconds.
    fn patch(
        &self,
        animation: &mut GrowthAnimation,
        step: usize,
        watch: &mut ProgressCallback<'_>,
    ) -> Result<Patch, ExportError> {
        let steps = animation.steps.len() as u64;
        let change = animation.show(step);
        let picture = self.picture(animation)?;
        let [left, top, width, height] = match change {
            FrameChange::All => [0, 0, picture.width(), picture.height()],
            FrameChange::Squares(changed) => {
                let rows = || changed.iter().map(|at| at.x);
                let columns = || changed.iter().map(|at| at.y);
                let (from, to) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
                let (first, last) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
                [first, from, last - first + 1, to - from + 1].map(|squares| squares as u32 * self.scale)
            }
        };
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        let mut row = vec![0; picture.width() as usize];
        for y in top..top + height {
            if watch(step as u64, steps).is_break() {
                return Err(ExportError::Interrupted);
            }
            picture.row(y, &mut row);
            pixels.extend_from_slice(&row[left as usize..(left + width) as usize]);
        }
        Ok(Patch {
            left,
            top,
            width,
            height,
            pixels,
        })
    }
}

/// Returns the side length of a square in pixels: the scale option if it is set, otherwise 1 to 8, depending on the
/// number of squares shown.
fn scale(size: Size, options: &ExportOptions) -> u32 {
    let longer = size.x.max(size.y).max(1) as u32;
    options.scale.unwrap_or((SIDE / longer).clamp(1, 8)).max(1)
}

pub(super) fn write_gif(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    job.at(0, 1)?;
    let mut animation = GrowthAnimation::new(dungeon, options)?;
    let title = title(dungeon, options);
    let look = AnimationStyle::new(dungeon, &animation, options, &title);
    let picture = look.picture(&animation)?;
    let [width, height] = [picture.width(), picture.height()].map(u16::try_from);
    let (Ok(width), Ok(height)) = (width, height) else {
        return Err(ExportError::Options(format!(
            "a GIF holds at most 65535 × 65535 pixels, and this one would have {} × {}; use a smaller scale",
            picture.width(),
            picture.height()
        )));
    };
    let wrong = |error: gif::EncodingError| match error {
        gif::EncodingError::Io(error) => ExportError::Io(error),
        other => ExportError::Cannot(format!("cannot make the animation: {other}")),
    };
    let mut encoder = gif::Encoder::new(&mut *job.out, width, height, &picture.colours().concat()).map_err(wrong)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(wrong)?;
    let comment = gif::Extension::Comment.into();
    encoder
        .write_raw_extension(comment, &[PROGRAM.as_bytes()])
        .map_err(wrong)?;
    let steps = animation.steps.len();
    for step in 0..steps {
        let delay = animation.shown_for(step) / 10;
        let patch = look.patch(&mut animation, step, &mut *job.watch)?;
        // The casts cannot truncate, because width and height of the whole picture fit into 16 bits.
        let frame = gif::Frame {
            left: patch.left as u16,
            top: patch.top as u16,
            width: patch.width as u16,
            height: patch.height as u16,
            delay: u16::try_from(delay).unwrap_or(u16::MAX),
            dispose: gif::DisposalMethod::Keep,
            buffer: patch.pixels.into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(wrong)?;
    }
    encoder.into_inner().map_err(wrong)?;
    Ok(())
}

pub(super) fn write_apng(
    dungeon: &DungeonView<'_>,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    job.at(0, 1)?;
    let mut animation = GrowthAnimation::new(dungeon, options)?;
    let title = title(dungeon, options);
    let look = AnimationStyle::new(dungeon, &animation, options, &title);
    let picture = look.picture(&animation)?;
    let steps = animation.steps.len();
    let mut encoder = picture.encoder(&title, &mut *job.out)?;
    encoder.set_animated(steps as u32, 0).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    for step in 0..steps {
        let milliseconds = u16::try_from(animation.shown_for(step)).unwrap_or(u16::MAX);
        let patch = look.patch(&mut animation, step, &mut *job.watch)?;
        writer.set_frame_delay(milliseconds, 1000).map_err(failed)?;
        if step > 0 {
            writer.reset_frame_position().map_err(failed)?;
            writer.set_frame_dimension(patch.width, patch.height).map_err(failed)?;
            writer.set_frame_position(patch.left, patch.top).map_err(failed)?;
        }
        writer.write_image_data(&patch.pixels).map_err(failed)?;
    }
    writer.finish().map_err(failed)
}
